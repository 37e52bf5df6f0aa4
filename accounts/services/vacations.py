"""Starting and ending vacations (FM-ORDUSR-6, FM-ORDUSR-7), and requesting updates of
absent users' clocks."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.errors import InvalidVacation
from accounts.models import ClockUpdate, Mage, User, Vacation
from accounts.selectors.absence import read_vacation_days
from operations.selectors import read_policy
from operations.wakeups import on_commit_once
from operations.workers import wake_worker

DAY = timedelta(days=1)


def start_vacation(*, user: User, days: int, now: datetime) -> Vacation:
    """Start a vacation of `days` from now, if the user has so many left this year (`accounts.vacation_days`). A second
    order changes the end of the current vacation, as far as days are left. Raises InvalidVacation."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        close_expired_vacation(user=user, now=now)
        running = Vacation.objects.filter(user=user, ended_at=None).first()
        if running is None:
            most = read_vacation_days(user=user).find_longest(now)
            if not 1 <= days <= most:
                raise InvalidVacation(most)
            return _open(user, now, now + timedelta(days=days))
        latest = _find_latest_end(running)
        if not 1 <= days <= read_policy().vacation_most_days or (
            running.by_janitor and now + timedelta(days=days) > latest
        ):
            raise InvalidVacation(max(1, (latest - now) // DAY))
        request_clock_update(user=user, now=now)
        running.until = min(now + timedelta(days=days), latest)
        running.save(update_fields=["until"])
        return running


def _find_latest_end(running: Vacation) -> datetime:
    """Return until when its user can make a current vacation last; one that a janitor entered gets no longer."""
    if running.by_janitor:
        return running.until
    days = read_vacation_days(user=running.user, besides=running).find_longest(running.starts_at)
    return max(running.until, running.starts_at + timedelta(days=days))


def enter_vacation(*, user: User, days: int, most: int, now: datetime) -> Vacation:
    """Enter a vacation of `days` from now on behalf of a janitor, for a good reason such as illness: it uses none of
    the user's days, and stops clocks even after their alarm. It ends a current vacation. Raises InvalidVacation for
    more than `most` days."""
    if not 1 <= days <= most:
        raise InvalidVacation(most)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        close_expired_vacation(user=user, now=now)
        Vacation.objects.filter(user=user, ended_at=None).update(ended_at=now)
        return _open(user, now, now + timedelta(days=days), by_janitor=True)


def _open(user: User, now: datetime, until: datetime, *, by_janitor: bool = False) -> Vacation:
    request_clock_update(user=user, now=now)
    try:
        with transaction.atomic():
            return Vacation.objects.create(user=user, starts_at=now, until=until, by_janitor=by_janitor)
    except IntegrityError:  # another worker has opened it since
        return Vacation.objects.get(user=user, ended_at=None)


def end_vacation(*, user: User, now: datetime) -> bool:
    """End `user`'s vacation; return whether they were away."""
    running = Vacation.objects.filter(user=user, ended_at=None).first()
    if running is None or close_expired_vacation(user=user, now=now) or running.starts_at > now:
        return False
    if not Vacation.objects.filter(pk=running.pk, ended_at=None).update(ended_at=now):
        return False
    request_clock_update(user=user, now=now)
    # Their next checks were set for its end.
    User.objects.filter(pk=user.pk).update(idle_check_at=now)
    Mage.objects.filter(user=user, died_at=None).update(idle_check_at=now)
    return True


def close_expired_vacation(*, user: User, now: datetime) -> bool:
    """Close `user`'s vacation if it is over; return whether there was one."""
    over = Vacation.objects.filter(user=user, ended_at=None, until__lte=now)
    closed = any(over.filter(pk=each.pk).update(ended_at=each.until) for each in over)
    if closed:
        request_clock_update(user=user, now=now)
    return closed


def request_clock_update(*, user: User, now: datetime) -> None:
    """Ask for `user`'s clocks to be updated, soon after the commit. Call it in the transaction that changes whether
    they are away or get email; a later update is brought forward."""
    on_commit_once(wake_worker, "duels.tasks.sweep_deadlines")  # until then, pages show clocks that run
    ClockUpdate.objects.bulk_create(
        [ClockUpdate(user=user, due_at=now)], update_conflicts=True, unique_fields=["user"], update_fields=["due_at"]
    )


def confirm_clock_update(*, update: ClockUpdate, now: datetime) -> bool:
    """Record that the clocks are up to date as of `now`; they are checked again when a current vacation ends. Return
    whether `update` is unchanged since it was read."""
    mine = ClockUpdate.objects.filter(pk=update.pk, due_at=update.due_at)
    until = Vacation.objects.filter(user=update.user_id, ended_at=None, until__gt=now).values_list("until", flat=True)
    again = until.first()
    return (mine.update(due_at=again) if again else mine.delete()[0]) == 1
