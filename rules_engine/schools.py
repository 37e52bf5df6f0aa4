"""The schools of magic: what kind of thing each spell does, as readers see it by its colour and sign.

A school says nothing about the rules; those have the categories of `spells.Spell`.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

STAB: Final = "stab"
"""Stands for a stab where the name of a spell could stand."""


class School(Enum):
    """The value is the name of the school's sign and colours."""

    HARM = "harm"
    WARD = "ward"
    SUMMON = "summon"
    MIND = "mind"
    TIME = "time"
    """Time and sight."""


_SPELLS: Final = {
    School.HARM: (
        STAB,
        "Cause Heavy Wounds",
        "Cause Light Wounds",
        "Clap of Lightning",
        "Disease",
        "Finger Of Death",
        "Fire Storm",
        "Fireball",
        "Ice Storm",
        "Lightning Bolt",
        "Magic Missile",
        "Poison",
    ),
    School.WARD: (
        "Counter Spell",
        "Cure Heavy Wounds",
        "Cure Light Wounds",
        "Dispel Magic",
        "Magic Mirror",
        "Protection",
        "Raise Dead",
        "Remove Enchantment",
        "Resist Cold",
        "Resist Heat",
        "Shield",
    ),
    School.SUMMON: (
        "Summon Elemental",
        "Summon Fire Elemental",
        "Summon Giant",
        "Summon Goblin",
        "Summon Ice Elemental",
        "Summon Ogre",
        "Summon Troll",
    ),
    School.MIND: (
        "Amnesia",
        "Anti Spell",
        "Blindness",
        "Charm Monster",
        "Charm Person",
        "Confusion",
        "Fear",
        "Maladroitness",
        "Paralysis",
    ),
    School.TIME: ("Delay Effect", "Haste", "Invisibility", "Permanency", "Time Stop"),
}
_SCHOOLS: Final = {spell: school for school, spells in _SPELLS.items() for spell in spells}
CURES: Final = frozenset({"Cure Heavy Wounds", "Cure Light Wounds"})
"""The spells of School.WARD that heal; they have a sign of their own."""


def find_school(spell: str) -> School:
    """Return the school of a spell, or of a stab, by its English name. Raises KeyError for any other name."""
    return _SCHOOLS[spell]


def name_sign(spell: str) -> str:
    """Return the name of the spell's sign: its school's, or "cure"."""
    return "cure" if spell in CURES else _SCHOOLS[spell].value
