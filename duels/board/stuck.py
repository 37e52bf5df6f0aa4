"""The note on a turn that the rules could not resolve."""

from __future__ import annotations

from dataclasses import dataclass

from duels.board.parts import Part
from duels.selectors.battle_view import BattleView
from duels.stuck_words import describe_stuck_turn


@dataclass(frozen=True)
class StuckNote(Part):
    """What happened and when, and what happens next."""

    sentences: tuple[str, ...]


def make_stuck_note(view: BattleView) -> StuckNote | None:
    """Return the note for this viewer; None if the battle is not stuck."""
    sentences = describe_stuck_turn(view)
    return StuckNote(sentences) if sentences else None
