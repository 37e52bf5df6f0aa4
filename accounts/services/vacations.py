"""Going away and coming back (FM-ORDUSR-6, FM-ORDUSR-7)."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.errors import InvalidVacation
from accounts.models import Mage, User, Vacation
from accounts.services.absence_news import note_absence_news
from fm_site.operations.selectors import read_policy


def start_vacation(*, user: User, days: int, now: datetime, most: int | None = None) -> Vacation:
    """Let `user` be away for `days` from now, as many as the policy allows (35) or `most`. A second order replaces the
    end of the vacation that goes on, which lasts that long at most from its beginning. Raises InvalidVacation."""
    most = read_policy().vacation_most_days if most is None else most
    if not 1 <= days <= most:
        raise InvalidVacation(days, most)
    until = now + timedelta(days=days)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        close_expired_vacation(user=user, now=now)
        note_absence_news(user=user, now=now)
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
    except IntegrityError:  # somebody else has opened it since
        return Vacation.objects.get(user=user, ended_at=None)


def end_vacation(*, user: User, now: datetime) -> bool:
    """End the vacation of `user`, if he is away; say whether he was."""
    running = Vacation.objects.filter(user=user, ended_at=None).first()
    if running is None or close_expired_vacation(user=user, now=now) or running.starts_at > now:
        return False
    if not Vacation.objects.filter(pk=running.pk, ended_at=None).update(ended_at=now):
        return False
    note_absence_news(user=user, now=now)
    # They were not to be looked at before its end.
    User.objects.filter(pk=user.pk).update(idle_look_at=now)
    Mage.objects.filter(user=user, died_at=None).update(idle_look_at=now)
    return True


def close_expired_vacation(*, user: User, now: datetime) -> bool:
    """Close the vacation of `user` whose time is over; say whether there was one."""
    over = Vacation.objects.filter(user=user, ended_at=None, until__lte=now)
    closed = any(over.filter(pk=each.pk).update(ended_at=each.until) for each in over)
    if closed:
        note_absence_news(user=user, now=now)
    return closed
