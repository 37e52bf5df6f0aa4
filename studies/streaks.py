"""The rule of the streak, as a function of days. A day is one of UTC, as the puzzle of the day is.

A day counts if the first try at its puzzle on that day solved it. The first day of a streak that does not count in a
month is a rest day, by itself: it neither counts nor breaks. The next one in that month ends the streak. Today is
missed only once its first try failed.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True)
class StreakCount:
    """The days in a row up to today, the most there ever were, all rest days, and whether this month's is still to
    be had."""

    days: int
    longest: int
    rests: frozenset[date]
    has_rest: bool


def count_streak(first_tries: Mapping[date, bool], *, today: date) -> StreakCount:
    """Return the streak by the first try of each day, and whether it solved that day's puzzle. Later days than today
    are ignored."""
    days = longest = 0
    rests: dict[tuple[int, int], date] = {}
    for day in _list_days(min(first_tries, default=today), today):
        if first_tries.get(day):
            days += 1
            longest = max(longest, days)
        elif day == today and day not in first_tries:
            continue  # it can still be solved
        elif days and _month(day) not in rests:
            rests[_month(day)] = day
        else:
            days = 0
    return StreakCount(days, longest, frozenset(rests.values()), _month(today) not in rests)


def ends_today(count: StreakCount, first_tries: Collection[date], *, today: date) -> bool:
    """Return whether the streak ends unless its user solves today's puzzle, which they have not tried."""
    return bool(count.days) and not count.has_rest and today not in first_tries


def _list_days(first: date, last: date) -> list[date]:
    return [first + n * DAY for n in range((last - first).days + 1)]


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month
