"""Openings of the mages of a battle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules_engine.gestures import GESTURES
from rules_engine.records.chronicle import Chronicle

PAIRS: Final = 8
"""As many pairs of gestures as the longest spell has."""


def list_first_pairs(chronicle: Chronicle, mage: str, most: int = PAIRS) -> tuple[str, ...]:
    """Return the first pairs of gestures that `mage` played, left before right: ("SW", "D>").

    Waiting, bows and the cuts of an Anti Spell do not count, nor the column of a mage who ran out of time.
    """
    if not chronicle.turns:
        return ()
    wizard, played = chronicle.turns[-1].after.wizards[mage], _count_columns(chronicle, mage)
    pairs = (left + right for left, right in zip(wizard.left[:played], wizard.right[:played], strict=True))
    made = [pair for pair in pairs if all(letter in GESTURES for letter in pair)]
    return tuple(made[:most])


def _count_columns(chronicle: Chronicle, mage: str) -> int | None:
    """Return how many columns the mage had when they ran out of time before gesturing; None if they never did."""
    for turn in chronicle.turns:
        for event in turn.stage_events[0]:
            if event.kind in ("times_out", "never_moves", "is_claimed") and event.facts["who"] == mage:
                return turn.column
    return None


def turn_alike(pairs: Iterable[str]) -> tuple[str, ...]:
    """Return a line of play as it is counted: of a line and its mirror image, the one whose first pair of different
    gestures is in alphabetical order. The mirror image of a prefix is a prefix of the mirror image."""
    line = tuple(pairs)
    unlike = next((pair for pair in line if pair[0] != pair[1]), "")
    return tuple(pair[::-1] for pair in line) if unlike[:1] > unlike[1:] else line
