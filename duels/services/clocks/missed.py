"""Excusing what was missed."""

import datetime

from duels.models import MissedTurn


def excuse_missed_turn(*, missed: MissedTurn, reason: str, now: datetime.datetime) -> bool:
    """Let a missed turn not count against its user, for a reason; False where it does not already.

    Raises ValueError without a reason.
    """
    if not reason.strip():
        raise ValueError("An excuse needs a reason.")
    counted = MissedTurn.objects.filter(pk=missed.pk, excused_at=None)
    return counted.update(excused_at=now, excuse=reason.strip()[:300]) == 1


def count_missed_turn_again(*, missed: MissedTurn) -> bool:
    """Take an excuse back; False where there was none."""
    excused = MissedTurn.objects.filter(pk=missed.pk, excused_at__isnull=False)
    return excused.update(excused_at=None, excuse="") == 1
