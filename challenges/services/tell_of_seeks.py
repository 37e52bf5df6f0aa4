"""Tell users who asked for it that someone looks for a duel."""

from datetime import datetime, timedelta

from django.db import transaction

from challenges.models import Challenge, SeekAlert
from challenges.selectors.seeks import DAY, KIND, Listener, list_listeners, list_seeks, make_key, may_join
from notifications.services.outbox import write_notice

# Nobody is told more than once an hour, nor more than three times in a day.
PAUSE = timedelta(hours=1)
MOST_IN_A_DAY = 3


def tell_of_seeks(*, now: datetime) -> int:
    """Tell each user who may be told now of the open duel that fits them best; return how many were told.

    It may run twice or late: each user is claimed before they are told, and a duel that was taken tells nobody.
    """
    return sum(_tell(listener, now) for listener in list_listeners(list_seeks(now=now), now=now))


def _tell(listener: Listener, now: datetime) -> bool:
    user = listener.user
    with transaction.atomic():
        if not _claim(listener, now):
            return False
        duel = next((each for each in listener.duels if may_join(user, each.number)), None)
        notice = duel and write_notice(key=make_key(user, duel), user=user, kind=KIND, facts=_facts(duel), now=now)
        if notice is None:
            # Nobody was told, so the next sweep may tell them.
            transaction.set_rollback(True)
    return notice is not None


def _claim(listener: Listener, now: datetime) -> bool:
    """Make the user wait until they may be told again; return whether it was this sweep that did."""
    alert, _is_new = SeekAlert.objects.get_or_create(user=listener.user, defaults={"next_at": now})
    due = SeekAlert.objects.filter(pk=alert.pk, next_at=alert.next_at, next_at__lte=now)
    return due.update(next_at=_find_next(listener, now)) == 1


def _find_next(listener: Listener, now: datetime) -> datetime:
    """Return when the user, told now, may be told again."""
    told = [now, *listener.told_at]
    oldest = told[MOST_IN_A_DAY - 1] + DAY if len(told) >= MOST_IN_A_DAY else now
    return max(now + PAUSE, oldest)


def _facts(duel: Challenge) -> dict[str, object]:
    return {"number": duel.number, "challenger": duel.challenger.name}
