"""A mage's knowledge when orders are due, as plain JSON data: a computer opponent gets nothing else.

`see` makes it from the mage's view, orders and questions. It contains nothing that the view hides, so no strategy can
know more than its mage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.audience import MageView, look
from rules_engine.bots.belief import PastTurn, is_partly_hidden, recall, write_marks, write_monster
from rules_engine.events import Viewer
from rules_engine.questions import Question, open_questions
from rules_engine.state import State

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """A battle as one mage sees it. `facts` is JSON data (docs/bots/protocol.md names its members)."""

    mage: str
    facts: Facts

    @property
    def questions(self) -> list[dict[str, Any]]:
        questions: list[dict[str, Any]] = self.facts["questions"]
        return questions


def see(state: State, mage: str, past: Iterable[PastTurn] = ()) -> Seen:
    """Return the battle as `mage` sees it now. Raises ValueError if the mage owes no orders.

    `past` are the turns that were played, in order; read only if the mage does not see everything now.
    """
    if mage not in state.owing:
        raise ValueError(f"{mage} owes no orders")
    view = look(state, Viewer.of(mage))
    own = state.wizards[mage]
    length = len(state.columns)
    facts: dict[str, Any] = {
        "mage": mage,
        "ruleset": state.ruleset.name,
        "edition": state.ruleset.edition,
        "turn": state.turn,
        "extra": state.extra,
        "seq": state.seq,
        "stage": state.stage,
        "doubled": state.doubled and any(seen.pairs == 2 for seen in view.mages),
        "blind": view.blind,
        "columns": list(view.columns),
        "mages": [_write_mage(seen) for seen in view.mages],
        "monsters": [write_monster(seen) for seen in view.monsters],
        "obey_me": [m.name for m in state.monsters.values() if m.controller == mage],
        "tombstone": list(view.tombstone),
        "belief": recall(past, view, mage) if is_partly_hidden(view) else None,
        "own": {
            "phase": own.phase,
            # Gestures of this turn that are already final: because of Amnesia, or because the turn stopped for answers.
            "made": [list(pair) for pair in zip(own.left[length:], own.right[length:], strict=True)],
            "offers": {hand: list(spells) for hand, spells in own.offers.items()},
            "spells": dict(own.spells),
            "bolt_used": own.short_bolt_used,
        },
        "questions": [_write_question(question) for question in open_questions(state, mage)],
    }
    return Seen(mage, facts)


def read_seen(facts: Facts) -> Seen:
    """Return what a mage sees, from its JSON data."""
    return Seen(facts["mage"], facts)


def _write_mage(seen: MageView) -> dict[str, Any]:
    return {
        "name": seen.name,
        "hp": seen.hp,
        "standing": seen.standing,
        "acts": seen.acts,
        "pairs": seen.pairs,
        "marks": write_marks(seen),
        "banked": list(seen.banked) if seen.banked else None,
        "left": seen.left,
        "right": seen.right,
        "held": seen.held_hand or None,
    }


def _write_question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "kind": question.kind,
        "about": question.about,
        "options": [option.value for option in question.options if option.allowed],
        "default": question.default,
        "required": question.required,
        "answered": question.answered,
    }


__all__ = ["Facts", "Seen", "read_seen", "see"]
