"""Streaks of the puzzle of the day, as pages show them, and whose ends today (the rule: studies.streaks)."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.dates import WEEKDAYS_ABBR

from accounts.models import User
from studies.models import DailyTry
from studies.selectors.learning import recall_learning
from studies.streaks import DAY, StreakCount, count_streak, ends_today

# A streak that still runs has a day this near: two days in a row can be rest days, of two months.
LONGEST_REST = 3 * DAY


@dataclass(frozen=True)
class StreakDay:
    """A day of this week: "done", "rest", "missed", "today" while its puzzle is not tried, or "" if it is to come."""

    name: str
    state: str
    is_today: bool


@dataclass(frozen=True)
class Streak:
    """Days in a row up to today, and the most there ever were; whether this month's rest day is left; what today's
    first try was, None if there is none; and the days of this week."""

    days: int
    longest: int
    has_rest: bool
    solved_today: bool | None
    week: tuple[StreakDay, ...]

    @property
    def rests_today(self) -> bool:
        return any(day.is_today and day.state == "rest" for day in self.week)


def show_streak(first_tries: Mapping[datetime.date, bool], *, now: datetime.datetime) -> Streak:
    """Return the streak by a user's first tries (studies.selectors.learning)."""
    today = now.astimezone(datetime.UTC).date()
    count = count_streak(first_tries, today=today)
    monday = today - today.weekday() * DAY
    week = (monday + n * DAY for n in range(7))
    shown = tuple(
        StreakDay(str(WEEKDAYS_ABBR[day.weekday()]), _state(day, first_tries, count, today), day == today)
        for day in week
    )
    return Streak(count.days, count.longest, count.has_rest, first_tries.get(today), shown)


def _state(
    day: datetime.date, first_tries: Mapping[datetime.date, bool], count: StreakCount, today: datetime.date
) -> str:
    if first_tries.get(day):
        return "done"
    if day in count.rests:
        return "rest"
    if day > today:
        return ""
    return "today" if day == today and day not in first_tries else "missed"


def find_longest_streak(user: User, *, now: datetime.datetime) -> int:
    """Return the most days in a row that the user ever had, for a page."""
    return count_streak(recall_learning(user).first_tries, today=now.astimezone(datetime.UTC).date()).longest


def find_ending_streaks(users: Collection[int], *, now: datetime.datetime) -> dict[int, int]:
    """Return which of these users (ids) lose their streak unless they solve the puzzle of today, and how many days it
    has."""
    today = now.astimezone(datetime.UTC).date()
    recent = DailyTry.objects.filter(user__in=users, solved=True, day__range=(today - LONGEST_REST, today - DAY))
    found = _read_tries(set(recent.order_by().values_list("user", flat=True)))
    counts = {user: (count_streak(tries, today=today), tries) for user, tries in found.items()}
    return {user: count.days for user, (count, tries) in counts.items() if ends_today(count, tries, today=today)}


def _read_tries(users: Collection[int]) -> dict[int, dict[datetime.date, bool]]:
    """Return the first tries of each of these users who has one."""
    found: dict[int, dict[datetime.date, bool]] = {}
    rows = DailyTry.objects.filter(user__in=users).order_by().values_list("user", "day", "solved")
    for user, day, solved in rows:
        found.setdefault(user, {})[day] = solved
    return found
