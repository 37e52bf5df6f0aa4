"""Time that counts, and time that does not: in an outage, and on vacation, nobody grows idle."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

NOTHING = timedelta(0)


@dataclass(frozen=True)
class LostTime:
    """Times in which the house was out of order, that do not overlap; one that goes on has no end."""

    spans: tuple[tuple[datetime, datetime | None], ...] = ()

    def measure(self, since: datetime, until: datetime) -> timedelta:
        """Return how much between two moments is lost."""
        parts = (min(end or until, until) - max(start, since) for start, end in self.spans)
        return sum((part for part in parts if part > NOTHING), NOTHING)

    def count(self, since: datetime, until: datetime) -> timedelta:
        """Return how much between two moments is not lost; nothing when `until` is not after `since`."""
        return max(until - since - self.measure(since, until), NOTHING)


def find_latest(moments: Iterable[datetime | None]) -> datetime:
    """Return the last of the moments that there are; there has to be one."""
    return max(moment for moment in moments if moment is not None)
