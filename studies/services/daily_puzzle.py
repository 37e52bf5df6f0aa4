"""The notice of the puzzle of the day, for those who asked for it."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from accounts.models import User
from notifications.models import Preference
from notifications.preferences import AT_ONCE, NEVER
from notifications.selectors.notices import find_choices, preferences_of
from notifications.services.outbox import write_notices
from notifications.services.preferences import set_preference
from studies.models import DailyTry
from studies.selectors.puzzles import find_daily_puzzle

MAIL, PUSH = "mail_daily", "push_daily"
# It is told at the hour of the user's daily email; a sweep that is later by so many hours tells it no more that day.
HOURS_TO_TELL = 3


def wants_daily_puzzle(*, user: User) -> bool:
    chosen = preferences_of(user)
    return chosen[MAIL] != NEVER or chosen[PUSH] != "no"


def ask_for_daily_puzzle(*, user: User) -> str:
    """Notify the user of each day's puzzle from now on; return the channel: "push" if they have a device, or "mail"."""
    channel = "push" if user.has_push else "mail"
    set_preference(user=user, key=PUSH, value="yes")
    if channel == "mail":
        set_preference(user=user, key=MAIL, value=AT_ONCE)
    return channel


def notify_of_daily_puzzle(*, now: datetime) -> int:
    """Tell those who asked for it, and have not tried it today, of the puzzle of the day; return how many.

    It may run at any time and twice at once: a user is told once a day of theirs, at the hour of their daily email.
    """
    puzzle = find_daily_puzzle(today=now.date())
    if puzzle is None:
        return 0
    readers = list(_list_readers(now.date()))
    zones, hours = (find_choices([user.pk for user in readers], key) for key in ("time_zone", "digest_hour"))
    entries = []
    for user in readers:
        local = now.astimezone(ZoneInfo(zones[user.pk]))
        if 0 <= local.hour - int(hours[user.pk]) < HOURS_TO_TELL:
            facts = {"puzzle": puzzle.pk, "kind": puzzle.kind}
            entries.append((f"daily_puzzle:{local.date()}:{user.pk}", user, facts))
    return len(write_notices(kind="daily_puzzle", entries=entries, now=now))


def _list_readers(today: date) -> QuerySet[User]:
    wanted = Preference.objects.filter(key__in=(MAIL, PUSH)).exclude(value=NEVER).values("user")
    tried = DailyTry.objects.filter(day=today).values("user")
    return User.objects.filter(pk__in=wanted, is_active=True).exclude(pk__in=tried).order_by("pk")
