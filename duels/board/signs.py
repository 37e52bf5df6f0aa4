"""Gestures and spells in little room: drawings, letters, words and short names."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules_engine import name_spell

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


# For keys and beads.
SHORT = {
    "Amnesia": pgettext_lazy("short spell name", "Amnesia"),
    "Cause Heavy Wounds": pgettext_lazy("short spell name", "Wounds 3"),
    "Cause Light Wounds": pgettext_lazy("short spell name", "Wounds 2"),
    "Charm Monster": pgettext_lazy("short spell name", "Charm mon"),
    "Charm Person": pgettext_lazy("short spell name", "Charm pers"),
    "Counter Spell": pgettext_lazy("short spell name", "Counter"),
    "Cure Heavy Wounds": pgettext_lazy("short spell name", "Cure 2"),
    "Cure Light Wounds": pgettext_lazy("short spell name", "Cure 1"),
    "Delay Effect": pgettext_lazy("short spell name", "Delay"),
    "Dispel Magic": pgettext_lazy("short spell name", "Dispel"),
    "Finger Of Death": pgettext_lazy("short spell name", "Finger"),
    "Fire Storm": pgettext_lazy("short spell name", "Fire Storm"),
    "Invisibility": pgettext_lazy("short spell name", "Invisible"),
    "Lightning Bolt": pgettext_lazy("short spell name", "Lightning"),
    "Magic Mirror": pgettext_lazy("short spell name", "Mirror"),
    "Magic Missile": pgettext_lazy("short spell name", "Missile"),
    "Permanency": pgettext_lazy("short spell name", "Permanent"),
    "Remove Enchantment": pgettext_lazy("short spell name", "Remove"),
    "Resist Cold": pgettext_lazy("short spell name", "Res. cold"),
    "Resist Heat": pgettext_lazy("short spell name", "Res. heat"),
    "Summon Fire Elemental": pgettext_lazy("short spell name", "Fire elem."),
    "Summon Giant": pgettext_lazy("short spell name", "Giant"),
    "Summon Goblin": pgettext_lazy("short spell name", "Goblin"),
    "Summon Ice Elemental": pgettext_lazy("short spell name", "Ice elem."),
    "Summon Ogre": pgettext_lazy("short spell name", "Ogre"),
    "Summon Troll": pgettext_lazy("short spell name", "Troll"),
}


def short_name(spell: str) -> str:
    """Return a name of about ten letters at most, in the reader's language."""
    return str(SHORT[spell]) if spell in SHORT else name_spell(spell)
