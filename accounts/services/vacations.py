"""Starting and ending vacations (FM-ORDUSR-6, FM-ORDUSR-7), and requesting updates of
absent users' clocks."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.errors import InvalidVacation
from accounts.models import ClockUpdate, Mage, User, Vacation
from fm_site.operations.selectors import read_policy


def start_vacation(*, user: User, days: int, now: datetime, most: int | None = None) -> Vacation:
    """Start a vacation of `days` from now, at most what the policy allows (35) or `most`. A second order changes the
    end of the current vacation, which may last that long from its start. Raises InvalidVacation."""
    most = read_policy().vacation_most_days if most is None else most
    if not 1 <= days <= most:
        raise InvalidVacation(days, most)
    until = now + timedelta(days=days)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        close_expired_vacation(user=user, now=now)
        request_clock_update(user=user, now=now)
        running = Vacation.objects.filter(user=user, ended_at=None).first()
        if running is None:
            return _open(user, until, now)
        running.until = min(until, running.starts_at + timedelta(days=most))
        running.save(update_fields=["until"])
        return running


def _open(user: User, until: datetime, now: datetime) -> Vacation:
    try:
        with transaction.atomic():
            return Vacation.objects.create(user=user, starts_at=now, until=until)
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
    """Ask for `user`'s clocks to be updated. Call it in the transaction that changes whether they are away or get
    email; a later update is brought forward."""
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
