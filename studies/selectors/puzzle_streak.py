"""A user's streak: the days in a row on which they tried the puzzle of the day."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils.dates import WEEKDAYS_ABBR

from accounts.models import User
from notifications.selectors.notices import preferences_of
from studies.models import Puzzle, PuzzleTry
from studies.selectors.puzzles import choose_daily

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class StreakDay:
    """A day of this week: "done", "missed", or "" while it can still be done."""

    name: str
    state: str


@dataclass(frozen=True)
class Streak:
    """Days in a row up to today on which the user tried the puzzle of the day, solved or not; the longest such row; and
    the days of this week."""

    days: int
    longest: int
    week: tuple[StreakDay, ...]


def read_streak(user: User, *, now: datetime.datetime) -> Streak:
    """Return the user's streak, counted in days of their time zone."""
    zone = ZoneInfo(preferences_of(user)["time_zone"])
    puzzles = list(Puzzle.objects.order_by("pk").values_list("pk", "added_on"))
    tries = PuzzleTry.objects.filter(user=user).values_list("puzzle", "tried_at")
    done = {
        at.astimezone(zone).date()
        for puzzle, at in tries
        if puzzle == choose_daily(puzzles, today=at.astimezone(datetime.UTC).date())
    }
    today = now.astimezone(zone).date()
    days, longest = count_streak(done, today=today)
    return Streak(days, longest, tuple(_show_week(done, today)))


def count_streak(done: Collection[datetime.date], *, today: datetime.date) -> tuple[int, int]:
    """Return the days in a row up to today, and the longest row. One missed day a week is forgiven, and today is not
    missed yet."""
    days = longest = 0
    forgiven = None
    for day in _list_days(min(done, default=today), today):
        week = day.isocalendar()[:2]
        if day in done:
            days += 1
        elif week != forgiven:
            forgiven = week if day != today else forgiven
        elif day != today:
            days = 0
        longest = max(longest, days)
    return days, longest


def _list_days(first: datetime.date, last: datetime.date) -> Sequence[datetime.date]:
    return [first + n * DAY for n in range((last - first).days + 1)]


def _show_week(done: Collection[datetime.date], today: datetime.date) -> Sequence[StreakDay]:
    monday = today - today.weekday() * DAY
    return [
        StreakDay(str(WEEKDAYS_ABBR[n]), "done" if day in done else "missed" if day < today else "")
        for n, day in enumerate(_list_days(monday, monday + 6 * DAY))
    ]
