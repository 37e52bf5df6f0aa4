"""The preferences, their possible values and their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class PreferenceKind:
    """A preference: its key, its label, and its values (the first one is the default).

    Until a user chooses it, it is what they chose for the preference `like`, if they did.
    """

    key: str
    question: StrOrPromise
    values: tuple[tuple[str, StrOrPromise], ...]
    like: str = ""

    @property
    def default(self) -> str:
        return self.values[0][0]


YES_NO = (("yes", _("Yes")), ("no", _("No")))
NO_YES = YES_NO[::-1]
AT_ONCE, DIGEST, NEVER = "yes", "digest", "no"
HOW_OFTEN = ((AT_ONCE, _("Immediately")), (DIGEST, _("In one daily email")), (NEVER, _("Never")))
SELDOM = (HOW_OFTEN[-1], *HOW_OFTEN[:-1])
# How strong someone who looks for a duel may be, to tell the reader: the ratings at most this far apart.
ANY_RATING = "any"
RATING_BANDS = (
    ("200", _("Rating within 200 of mine")),
    ("100", _("Rating within 100 of mine")),
    ("400", _("Rating within 400 of mine")),
    (ANY_RATING, _("Any rating")),
    (NEVER, _("Never")),
)
HOURS = tuple((str(hour), f"{hour:02}:00") for hour in (7, *range(7), *range(8, 24)))
NIGHTS = tuple((str(hour), f"{hour:02}:00") for hour in (23, *range(18, 23), *range(5)))
HALF_HOURS = tuple(f"{half // 2:02}:{half % 2 * 30:02}" for half in range(48))
# The hours in which devices are quiet, unless their user chooses others.
QUIET_FROM, QUIET_UNTIL = "22:00", "08:00"
ZONES = tuple((name, name.replace("_", " ")) for name in ("UTC", *sorted(available_timezones() - {"UTC", "localtime"})))
# A city or two for each time that people keep; a user's own zone, which their device named, is offered too.
SHORT_ZONES = frozenset(
    f"{region}/{city}"
    for region, cities in {
        "Africa": "Accra Algiers Cairo Casablanca Johannesburg Lagos Nairobi",
        "America": "Anchorage Argentina/Buenos_Aires Bogota Caracas Chicago Denver Halifax Havana Lima Los_Angeles "
        "Mexico_City Montevideo New_York Panama Phoenix Puerto_Rico Santiago Sao_Paulo St_Johns Toronto Vancouver",
        "Asia": "Almaty Baghdad Baku Bangkok Dhaka Dubai Hong_Kong Jakarta Jerusalem Karachi Kathmandu Kolkata Manila "
        "Novosibirsk Riyadh Seoul Shanghai Singapore Taipei Tashkent Tehran Tokyo Vladivostok Yangon Yekaterinburg",
        "Atlantic": "Azores Cape_Verde Reykjavik",
        "Australia": "Adelaide Brisbane Darwin Hobart Perth Sydney",
        "Europe": "Amsterdam Athens Berlin Brussels Bucharest Budapest Copenhagen Dublin Helsinki Istanbul Kyiv Lisbon "
        "London Madrid Moscow Oslo Paris Prague Rome Sofia Stockholm Vienna Warsaw Zurich",
        "Indian": "Maldives Mauritius",
        "Pacific": "Apia Auckland Fiji Guam Honolulu Noumea",
    }.items()
    for city in cities.split()
)
# The first words of the names of places. Other zones are older names for the same, or no place at all.
REGIONS: dict[str, StrOrPromise] = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}


def _list_half_hours(default: str) -> tuple[tuple[str, str], ...]:
    return tuple((each, each) for each in (default, *(each for each in HALF_HOURS if each != default)))


PREFERENCES = {
    kind.key: kind
    for kind in (
        PreferenceKind("mail_turns", _("Email me about my battles and battles I follow"), HOW_OFTEN),
        PreferenceKind("mail_ends", _("Email me when a battle begins or ends"), HOW_OFTEN, like="mail_turns"),
        PreferenceKind("mail_challenges", _("Email me when my mage is challenged"), HOW_OFTEN),
        PreferenceKind("mail_seats", _("Email me when someone joins, leaves or ends my challenge"), HOW_OFTEN),
        PreferenceKind("mail_changes", _("Email me about proposals to change my challenge"), HOW_OFTEN),
        PreferenceKind("mail_messages", _("Email me messages from other users"), HOW_OFTEN),
        PreferenceKind("mail_seeks", _("Email me when someone looks for a duel"), NO_YES),
        PreferenceKind("mail_league", _("Email me about my league and cups"), HOW_OFTEN),
        PreferenceKind("mail_reminders", _("Email me when my vacation ends"), HOW_OFTEN),
        PreferenceKind("mail_news", _("Email me announcements from the janitors"), HOW_OFTEN),
        PreferenceKind("mail_puzzles", _("Email me a puzzle from my own battles each week"), SELDOM),
        PreferenceKind("mail_daily", _("Email me the puzzle of the day"), SELDOM),
        PreferenceKind("mail_streaks", _("Email me when my puzzle streak ends today"), NO_YES),
        PreferenceKind("mail_talk", _("Email me the talk in the lobby"), SELDOM),
        PreferenceKind("push_turns", _("Notify my devices about my battles and battles I follow"), YES_NO),
        PreferenceKind("push_ends", _("Notify my devices when a battle begins or ends"), YES_NO, like="push_turns"),
        PreferenceKind("push_challenges", _("Notify my devices when my mage is challenged"), YES_NO),
        PreferenceKind("push_seats", _("Notify my devices when someone joins my challenge"), YES_NO),
        PreferenceKind("push_changes", _("Notify my devices about proposals to change my challenge"), YES_NO),
        PreferenceKind("push_messages", _("Notify my devices about messages from other users"), YES_NO),
        PreferenceKind("push_league", _("Notify my devices about my league and cups"), YES_NO),
        PreferenceKind("push_seeks", _("Notify my devices when someone looks for a duel"), NO_YES),
        PreferenceKind("hook_turns", _("Call my hooks about turns of my battles"), YES_NO),
        PreferenceKind("hook_deadlines", _("Call my hooks when a deadline is near"), YES_NO),
        PreferenceKind("hook_ends", _("Call my hooks when a battle begins or ends"), YES_NO),
        PreferenceKind("hook_messages", _("Call my hooks about messages"), YES_NO),
        PreferenceKind("hook_challenges", _("Call my hooks when my mage is challenged"), YES_NO),
        PreferenceKind("hook_seats", _("Call my hooks when someone joins, leaves or ends my challenge"), YES_NO),
        PreferenceKind("hook_changes", _("Call my hooks about proposals to change my challenge"), YES_NO),
        PreferenceKind("hook_league", _("Call my hooks about my league and cups"), YES_NO),
        PreferenceKind("hook_seeks", _("Call my hooks when someone looks for a duel"), NO_YES),
        PreferenceKind("seek_live", _("Live duels"), RATING_BANDS),
        PreferenceKind("seek_day", _("Duels at a turn a day"), RATING_BANDS),
        PreferenceKind("seek_slow", _("Slower duels"), RATING_BANDS),
        PreferenceKind("page_follows", _("Show in my news what happens to users I follow"), YES_NO),
        PreferenceKind("page_seeks", _("Show me open duels that fit"), YES_NO),
        PreferenceKind("page_news", _("Show announcements from the janitors in my news"), YES_NO),
        PreferenceKind("page_streaks", _("Show in my news that my puzzle streak ends today"), YES_NO),
        PreferenceKind("push_streaks", _("Notify my devices when my puzzle streak ends today"), YES_NO),
        PreferenceKind("push_daily", _("Notify my devices of the puzzle of the day"), NO_YES),
        PreferenceKind("quiet_hours", _("Quiet hours on my devices, unless a deadline is near"), NO_YES),
        PreferenceKind("quiet_from", _("Quiet hours begin at"), _list_half_hours(QUIET_FROM)),
        PreferenceKind("quiet_until", _("Quiet hours end at"), _list_half_hours(QUIET_UNTIL)),
        PreferenceKind("mail_unconfirmed", _("Send reminders to an unconfirmed address, at most three times"), YES_NO),
        PreferenceKind("mail_quiet", _("Skip the email about a turn I have already seen on the site"), YES_NO),
        PreferenceKind(
            "mail_subjects",
            _("Subject lines of battle emails"),
            (
                ("thread", _("One subject for the whole battle")),
                ("classic", _("Name the turn, like the classic server")),
            ),
        ),
        PreferenceKind(
            "bots_play",
            _("Other users' bots may challenge me and join my challenges"),
            (("yes", _("Yes, where no scores are at stake")), ("no", _("No"))),
        ),
        PreferenceKind("presence", _("Show others in the lobby that I am here"), YES_NO),
        PreferenceKind("bots_write", _("Other users' bots may write to me"), NO_YES),
        PreferenceKind("digest_hour", _("Time of the daily email"), HOURS),
        PreferenceKind("time_zone", _("Time zone"), ZONES),
        PreferenceKind("night", _("When clocks stop at night, my eight hours start at"), NIGHTS),
        PreferenceKind(
            "sound",
            _("Sounds on the battle page"),
            (
                ("live", _("When it's my turn, in live battles")),
                ("turn", _("When it's my turn")),
                ("all", _("When it's my turn, and for what happens in it")),
                ("off", _("Off")),
            ),
        ),
        PreferenceKind("motion", _("Show how a turn unfolds, step by step"), YES_NO),
        PreferenceKind("coach", _("Coach in the first duel"), YES_NO),
        PreferenceKind("single_keys", _("Use single keys to choose gestures on the battle page"), YES_NO),
    )
}


def find_end_of_quiet(local: datetime, *, start: str, end: str) -> datetime:
    """Return when the quiet hours from `start` until `end` ("22:00") end in which this local time is; outside of them,
    the time itself. Hours that end when they begin are none."""
    starts, ends = (time.fromisoformat(each) for each in (start, end))
    now = local.time()
    is_quiet = starts <= now < ends if starts <= ends else not ends <= now < starts
    if not is_quiet:
        return local
    until = datetime.combine(local.date(), ends, local.tzinfo)
    return until if until > local else until + timedelta(days=1)


def choose_sounds(setting: str, *, is_live: bool) -> str:
    """Return which sounds a page plays, by the preference "sound": "off", "turn" or "all"."""
    return ("turn" if is_live else "off") if setting == "live" else setting


def group_zones(chosen: str) -> list[tuple[StrOrPromise, Any]]:
    """Return the choices of a time zone: UTC, then a few cities of each region; `chosen` is always there."""
    cities: dict[str, list[tuple[str, str]]] = {}
    for name, words in ZONES:
        region, slash, city = words.partition("/")
        if slash and region in REGIONS and (name in SHORT_ZONES or name == chosen):
            cities.setdefault(region, []).append((name, city.rpartition("/")[2]))
    known = {name for places in cities.values() for name, _city in places} | {"UTC"}
    others = [(name, words) for name, words in ZONES if name == chosen and name not in known]
    return [*others, ZONES[0], *((words, cities[region]) for region, words in REGIONS.items() if region in cities)]
