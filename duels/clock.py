"""Clock arithmetic, with hours of rest that do not count.

Pure: the time is an argument, in UTC. Lengths are of counting time. Nights and weekends are in the user's own time zone
(zoneinfo), so a day on which daylight saving changes has 23 or 25 hours.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

NOTHING = timedelta(0)
ALARM_SHARE = 0.8
SATURDAY = 5
NIGHT_HOURS = 8
# A safety limit: rest never fills a whole week, so no search comes near this.
MOST_DAYS = 2000

Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Rest:
    """When a clock rests: on `weekends`, and for eight hours from the local hour `night` (None: not at night)."""

    zone: str = "UTC"
    weekends: bool = False
    night: int | None = None

    @property
    def is_none(self) -> bool:
        return not self.weekends and self.night is None

    def to_json(self) -> dict[str, Any]:
        """Return the stored form; {} for no rest."""
        return {} if self.is_none else {"zone": self.zone, "weekends": self.weekends, "night": self.night}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


NO_REST = Rest()


def list_rests(since: datetime, until: datetime, rest: Rest) -> Iterator[Span]:
    """Yield the spans of rest within [since, until), in order and merged."""
    if rest.is_none:
        return
    zone = ZoneInfo(rest.zone)
    # A night may have begun on the day before.
    day = since.astimezone(zone).date() - timedelta(days=1)
    last: Span | None = None
    for _ in range(MOST_DAYS):
        if _at(day, 0, zone) >= until:
            break
        for start, end in sorted(_rests_from(day, rest, zone)):
            if last is not None and start <= last[1]:
                last = last[0], max(last[1], end)
            else:
                yield from _within(last, since, until)
                last = start, end
        day += timedelta(days=1)
    yield from _within(last, since, until)


def _within(found: Span | None, since: datetime, until: datetime) -> Iterator[Span]:
    if found is not None and found[1] > since and found[0] < until:
        yield max(found[0], since), min(found[1], until)


def _rests_from(day: date, rest: Rest, zone: ZoneInfo) -> Iterator[Span]:
    if rest.weekends and day.weekday() >= SATURDAY:
        yield _at(day, 0, zone), _at(day + timedelta(days=1), 0, zone)
    if rest.night is not None:
        end = rest.night + NIGHT_HOURS
        yield _at(day, rest.night, zone), _at(day + timedelta(days=end // 24), end % 24, zone)


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def count_between(since: datetime, until: datetime, rest: Rest = NO_REST) -> timedelta:
    """Return how much time counts between two moments; zero if `until` is not later (a clock was set back)."""
    if until <= since:
        return NOTHING
    rested = sum((end - start for start, end in list_rests(since, until, rest)), NOTHING)
    return until - since - rested


def add_counting(since: datetime, length: timedelta, rest: Rest = NO_REST) -> datetime:
    """Return the moment when `length` of counting time has passed since `since`."""
    moment = since + max(length, NOTHING)
    if rest.is_none:
        return moment
    # More than enough: at least 80 hours of every week count.
    horizon = since + 3 * max(length, NOTHING) + timedelta(days=14)
    left, at = max(length, NOTHING), since
    for start, end in list_rests(since, horizon, rest):
        if start - at >= left and at + left < start:
            return at + left
        left -= start - at
        at = end
    return at + left


@dataclass(frozen=True)
class Clock:
    """One mage's clock: `used` of `allowed` before `since`. It is stopped while `since` is None."""

    allowed: timedelta
    grace: timedelta
    used: timedelta = NOTHING
    since: datetime | None = None
    rest: Rest = NO_REST

    def used_at(self, now: datetime) -> timedelta:
        return self.used if self.since is None else self.used + count_between(self.since, now, self.rest)

    def moment_of(self, used: timedelta) -> datetime | None:
        """Return when `used` will be used up if the clock keeps running, or `since` if it already is. None: stopped."""
        return None if self.since is None else add_counting(self.since, used - self.used, self.rest)

    @property
    def alarm_after(self) -> timedelta:
        return self.allowed * ALARM_SHARE
