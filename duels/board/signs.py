"""Gestures and spells in little room: drawings, letters, words and short names."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

WORDS = {
    "F": _("fingers"),
    "P": _("palm"),
    "S": _("snap"),
    "W": _("wave"),
    "D": _("digit"),
    "C": _("clap"),
    ">": _("stab"),
    "-": _("nothing"),
    "B": _("bow"),
}
SYMBOLS = {"F": "F", "P": "P", "S": "S", "W": "W", "D": "D", "C": "C", ">": "stab", "-": "nothing"}
HANDS = ("LH", "RH")
SECOND_HANDS = ("LH2", "RH2")  # of a second pair of gestures in the same turn
HAND_WORDS = {"LH": pgettext_lazy("hand", "Left"), "RH": pgettext_lazy("hand", "Right")}


def plain(hand: str) -> str:
    """Return the hand itself, in the first pair of gestures or the second."""
    return hand.removesuffix("2")


def is_second(hand: str) -> bool:
    """Return whether this is a hand of a second pair of gestures."""
    return hand.endswith("2")


def shown(letter: str) -> str:
    """Return the letter as printed on keys and beads: a true dash for nothing."""
    return "–" if letter == "-" else letter


def is_mirrored(letter: str, hand: str) -> bool:
    """Return whether the drawing is mirrored for this hand; a clap looks the same for both."""
    return hand == "LH" and letter != "C"


@dataclass(frozen=True)
class SeriesStep:
    """One gesture of a spell series; `both` hands play it."""

    letter: str
    both: bool


def steps(series: str) -> tuple[SeriesStep, ...]:
    """Return a spell series as letter discs; in a series, both hands play a small letter."""
    return tuple(SeriesStep(shown(c.upper()), c.islower()) for c in series)
