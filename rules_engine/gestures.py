"""The alphabet of gestures, the names of the hands, and the marks a history column may hold (FM-GEST-1..3)."""

from __future__ import annotations

from typing import Final

LEFT: Final = "LH"
RIGHT: Final = "RH"
BOTH: Final = "BH"
FIRE: Final = "FIRE"
"""The slot of a banked spell being released; not a hand, but it casts like one (FM-ORDMOVE-31)."""

HANDS: Final[tuple[str, ...]] = (LEFT, RIGHT)
SELECTORS: Final = (LEFT, RIGHT, BOTH)
SECOND: Final = {LEFT: "LH2", RIGHT: "RH2", BOTH: "BH2"}
"""A hand → the same hand in the second pair of gestures that Haste gives in one turn (WH-ENCH-26)."""
ALL_HANDS: Final[tuple[str, ...]] = (*HANDS, SECOND[LEFT], SECOND[RIGHT])
FIRST: Final = {second: hand for hand, second in SECOND.items()}

SPELL_GESTURES: Final = ("F", "P", "S", "W", "D", "C")
STAB: Final = ">"
NOTHING: Final = "-"
SURRENDER: Final = "PP"
"""Both hands of a mage who gives up (FM-SURR-1)."""
GESTURES: Final = (*SPELL_GESTURES, STAB, NOTHING)

FRIGHTENED: Final = frozenset("CDFS")
"""Gestures that a frightened mage cannot play (FM-FEAR-2)."""

BOW: Final = "B"
WAITED: Final = "."
"""A column in which only others acted: series ignore it."""
BREAK: Final = "#"
"""The cut that an Anti Spell leaves in both strings: no series crosses it."""
UNSEEN: Final = "?"
SEEN_TOGETHER: Final = "2"
"""Marks a column played outside time, for those who saw it."""


def other_hand(hand: str) -> str:
    return RIGHT if hand == LEFT else LEFT
