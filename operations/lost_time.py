"""Time that does not count: nobody becomes idle during an outage."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

NOTHING = timedelta(0)


@dataclass(frozen=True)
class LostTime:
    """The periods in which the site was down. They do not overlap; a current one has no end."""

    spans: tuple[tuple[datetime, datetime | None], ...] = ()

    def measure(self, since: datetime, until: datetime) -> timedelta:
        """Return how much of the time between two moments does not count."""
        parts = (min(end or until, until) - max(start, since) for start, end in self.spans)
        return sum((part for part in parts if part > NOTHING), NOTHING)

    def count(self, since: datetime, until: datetime) -> timedelta:
        """Return how much of the time between two moments counts; nothing if `until` is not after `since`."""
        return max(until - since - self.measure(since, until), NOTHING)


def find_latest(moments: Iterable[datetime | None]) -> datetime:
    """Return the latest of the moments that are not None; there must be one."""
    return max(moment for moment in moments if moment is not None)
