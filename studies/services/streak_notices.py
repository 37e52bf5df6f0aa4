"""The notice that a streak ends today, once, while its user may well be awake."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from accounts.models import User
from notifications.preferences import NEVER, find_end_of_quiet
from notifications.selectors.notices import find_choices
from notifications.services.news import hide_news
from notifications.services.outbox import write_notices
from notifications.settled_notices import settles
from studies.models import DailyTry
from studies.selectors.puzzle_streak import LONGEST_REST, find_ending_streaks
from studies.selectors.puzzles import find_daily_puzzle
from studies.streaks import DAY

KIND = "streak_ends"
# A shorter one is nothing to be told of.
LEAST_DAYS = 2
# In the user's time zone. The notice comes at the last of these hours that is in time before midnight UTC.
FIRST_HOUR, LAST_HOUR = 9, 21
IN_TIME = timedelta(hours=3)
# Lines of so many days are looked for: the worker may not have run for some.
LATE_DAYS = 3


def notify_of_ending_streaks(*, now: datetime) -> int:
    """Tell users whose streak ends with this day unless they solve its puzzle; return how many.

    It may run at any time and twice at once: a user is told once a day at most, and never in their quiet hours or at
    night. Lines of news about days that are over disappear.
    """
    today = now.astimezone(UTC).date()
    puzzle = find_daily_puzzle(today=today)
    if puzzle is None:
        return 0
    for ago in range(1, LATE_DAYS + 1):
        hide_news(kinds=[KIND], start=f"{KIND}:{today - ago * DAY}:")
    recent = DailyTry.objects.filter(solved=True, day__range=(today - LONGEST_REST, today - DAY))
    tried = DailyTry.objects.filter(day=today).values("user")
    users = User.objects.filter(pk__in=recent.values("user"), is_active=True).exclude(pk__in=tried)
    known = {user.pk: user for user in users}
    ending = {pk: days for pk, days in find_ending_streaks(known, now=now).items() if days >= LEAST_DAYS}
    keys = ("time_zone", "quiet_hours", "quiet_from", "quiet_until")
    chosen = {key: find_choices(ending, key) for key in keys}
    entries = [
        (_key(today, pk), known[pk], {"day": today.isoformat(), "puzzle": puzzle.pk, "days": days, "next": days + 1})
        for pk, days in sorted(ending.items())
        if is_time_to_tell({key: chosen[key][pk] for key in keys}, now=now)
    ]
    return len(write_notices(kind=KIND, entries=entries, now=now))


def is_time_to_tell(chosen: Mapping[str, Any], *, now: datetime) -> bool:
    """Return whether it is a good hour for the user with these preferences, and the last one of this day of UTC was
    reached: the sweep may be late, but tells nobody at night."""
    moment = find_moment_to_tell(chosen, day=now.astimezone(UTC).date())
    return moment is not None and now >= moment and _is_good(chosen, now)


def find_moment_to_tell(chosen: Mapping[str, Any], *, day: date) -> datetime | None:
    """Return the last full hour of a day of UTC that is good and in time; None if there is none."""
    begin = datetime.combine(day, time(), UTC)
    hours = (begin + timedelta(hours=hour) for hour in range(23, -1, -1))
    return next((at for at in hours if begin + DAY - at >= IN_TIME and _is_good(chosen, at)), None)


def _is_good(chosen: Mapping[str, Any], at: datetime) -> bool:
    local = at.astimezone(ZoneInfo(chosen["time_zone"]))
    if not FIRST_HOUR <= local.hour <= LAST_HOUR:
        return False
    if chosen["quiet_hours"] == NEVER:
        return True
    return find_end_of_quiet(local, start=chosen["quiet_from"], end=chosen["quiet_until"]) == local


@settles(KIND)
def is_day_tried(facts: Mapping[str, Any], user: User) -> bool:
    """Return whether the user has tried the puzzle since."""
    return DailyTry.objects.filter(user=user, day=facts["day"]).exists()


def hide_streak_news(*, user: User, day: date) -> None:
    """Take the line about this day out of the user's news: they have tried its puzzle."""
    hide_news(kinds=[KIND], start=_key(day, user.pk))


def _key(day: date, user: int) -> str:
    return f"{KIND}:{day}:{user}:"
