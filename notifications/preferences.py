"""The preferences, their possible values and their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class PreferenceKind:
    """A preference: its key, its label, and its values (the first one is the default)."""

    key: str
    question: StrOrPromise
    values: tuple[tuple[str, StrOrPromise], ...]

    @property
    def default(self) -> str:
        return self.values[0][0]


YES_NO = (("yes", _("Yes")), ("no", _("No")))
NO_YES = YES_NO[::-1]
AT_ONCE, DIGEST, NEVER = "yes", "digest", "no"
HOW_OFTEN = ((AT_ONCE, _("Immediately")), (DIGEST, _("In one daily email")), (NEVER, _("Never")))
SELDOM = (HOW_OFTEN[-1], *HOW_OFTEN[:-1])
HOURS = tuple((str(hour), f"{hour:02}:00") for hour in (7, *range(7), *range(8, 24)))
NIGHTS = tuple((str(hour), f"{hour:02}:00") for hour in (23, *range(18, 23), *range(5)))
ZONES = tuple((name, name.replace("_", " ")) for name in ("UTC", *sorted(available_timezones() - {"UTC", "localtime"})))
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

PREFERENCES = {
    kind.key: kind
    for kind in (
        PreferenceKind("mail_turns", _("Email me about my battles and battles I follow"), HOW_OFTEN),
        PreferenceKind("mail_challenges", _("Email me when my mage is challenged"), HOW_OFTEN),
        PreferenceKind("mail_seats", _("Email me when someone joins, leaves or ends my challenge"), HOW_OFTEN),
        PreferenceKind("mail_changes", _("Email me about proposals to change my challenge"), HOW_OFTEN),
        PreferenceKind("mail_messages", _("Email me messages from other users"), HOW_OFTEN),
        PreferenceKind("mail_reminders", _("Email me when my vacation ends"), HOW_OFTEN),
        PreferenceKind("mail_news", _("Email me announcements from the janitors"), HOW_OFTEN),
        PreferenceKind("mail_puzzles", _("Email me a puzzle from my own battles each week"), SELDOM),
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


def choose_sounds(setting: str, *, is_live: bool) -> str:
    """Return which sounds a page plays, by the preference "sound": "off", "turn" or "all"."""
    return ("turn" if is_live else "off") if setting == "live" else setting


def group_zones(chosen: str) -> list[tuple[StrOrPromise, Any]]:
    """Return the choices of a time zone: UTC, then places by region, named by their city; `chosen` is always there."""
    cities: dict[str, list[tuple[str, str]]] = {}
    for name, words in ZONES:
        region, slash, city = words.partition("/")
        if slash and region in REGIONS:
            cities.setdefault(region, []).append((name, city.replace("/", ", ")))
    known = {name for places in cities.values() for name, _city in places} | {"UTC"}
    others = [(name, words) for name, words in ZONES if name == chosen and name not in known]
    return [*others, ZONES[0], *((REGIONS[region], places) for region, places in cities.items())]
