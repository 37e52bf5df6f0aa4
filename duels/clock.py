"""The arithmetic of clocks: which moments follow from a length of time, when some of the time does not count.

Pure: time is an argument, in UTC. Lengths are of time that counts. A week of a user's own has hours of rest: its nights
and weekends are local (zoneinfo), so a day on which clocks change has 23 or 25 hours, of which rest takes its share.
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
# Rest never takes a whole week, so a length of time is found in a few times as many days; this is far beyond any.
MOST_DAYS = 2000

Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Rest:
    """When a clock rests: on `weekends`, and for eight hours from the local hour `night` (None: it does not)."""

    zone: str = "UTC"
    weekends: bool = False
    night: int | None = None

    @property
    def is_none(self) -> bool:
        return not self.weekends and self.night is None

    def to_json(self) -> dict[str, Any]:
        """Return it as it is stored; {} where nothing rests."""
        return {} if self.is_none else {"zone": self.zone, "weekends": self.weekends, "night": self.night}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


NO_REST = Rest()


def list_rests(since: datetime, until: datetime, rest: Rest) -> Iterator[Span]:
    """Yield the spans of rest that touch [since, until), in order, none touching another."""
    if rest.is_none:
        return
    zone = ZoneInfo(rest.zone)
    # A night may begin on the day before.
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
    """Return how much time counts between two moments; nothing where `until` is not later (a clock was set back)."""
    if until <= since:
        return NOTHING
    rested = sum((end - start for start, end in list_rests(since, until, rest)), NOTHING)
    return until - since - rested


def add_counting(since: datetime, length: timedelta, rest: Rest = NO_REST) -> datetime:
    """Return the moment at which `length` of counting time has passed since then."""
    moment = since + max(length, NOTHING)
    if rest.is_none:
        return moment
    # More days than the answer can need: a week has at least 80 hours that count.
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
    """What one mage's clock has run: `used` of `allowed` before `since`; it stands still where `since` is None."""

    allowed: timedelta
    grace: timedelta
    used: timedelta = NOTHING
    since: datetime | None = None
    rest: Rest = NO_REST

    def used_at(self, now: datetime) -> timedelta:
        """How much of its time is used up at `now`."""
        return self.used if self.since is None else self.used + count_between(self.since, now, self.rest)

    def moment_of(self, used: timedelta) -> datetime | None:
        """When so much will be used up, if the clock runs on; `since` itself if it was before. None: it stands."""
        return None if self.since is None else add_counting(self.since, used - self.used, self.rest)

    @property
    def alarm_after(self) -> timedelta:
        return self.allowed * ALARM_SHARE
