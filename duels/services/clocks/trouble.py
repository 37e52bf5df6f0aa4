"""Battles whose clocks cannot be looked after: they step back, so that others are always reached."""

import datetime
from collections.abc import Iterable

from duels.models import ClockTrouble

FIRST = datetime.timedelta(minutes=5)
MOST = datetime.timedelta(hours=6)


def note_clock_trouble(*, battle_id: int, error: Exception, now: datetime.datetime) -> None:
    """Let the sweep leave a battle alone for five minutes, and each time for twice as long, six hours at most. Janitors
    see it at their desk."""
    words = f"{type(error).__name__}: {error}"[:200]
    first = {"since": now, "retry_at": now + FIRST, "error": words}
    row, is_new = ClockTrouble.objects.get_or_create(battle_id=battle_id, defaults=first)
    if not is_new and row.retry_at <= now:
        wait = min(FIRST * 2 ** min(row.failures, 10), MOST)
        seen = ClockTrouble.objects.filter(pk=row.pk, failures=row.failures)
        seen.update(failures=row.failures + 1, retry_at=now + wait, error=words)


def end_clock_trouble(*, battle_ids: Iterable[int]) -> int:
    """Note that the clocks of these battles go again; return of how many they did not."""
    return ClockTrouble.objects.filter(battle__in=list(battle_ids)).delete()[0]
