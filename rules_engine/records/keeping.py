"""Records from the pieces that are stored while a battle is played: states before turns, rolls, orders, events.

The pieces are plain values; a caller who keeps them in rows makes a `StoredBattle` of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rules_engine.dice import Roll
from rules_engine.events import Event
from rules_engine.orders import Sheet
from rules_engine.outcome import Outcome
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.record import Record
from rules_engine.records.recording import write_down
from rules_engine.store import read_state


@dataclass(frozen=True, slots=True)
class StoredStage:
    """The canonical lines of each mage who was asked in one stage, and what was told when it was played."""

    lines: Mapping[str, Sequence[str]]
    told: Sequence[Event]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn that was played to its end; `before` is what `write_state` made of the state before it."""

    seq: int
    before: Mapping[str, Any]
    stages: Sequence[StoredStage]
    throws: Sequence[Roll]
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class StoredBattle:
    """The turns of a battle that count, in order, and the state after the last of them, stored in the same way.

    `outcome` is how it ended, also where no rule of the engine ended it (a forfeit).
    """

    turns: Sequence[StoredTurn]
    after: Mapping[str, Any]
    number: int | None = None
    users: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome | None = None


def tell_again(stored: StoredBattle) -> Chronicle:
    """The battle as it was played then, whatever the rules would do now."""
    states = [read_state(turn.before) for turn in stored.turns] + [read_state(stored.after)]
    turns = tuple(
        PlayedTurn(
            before.label,
            turn.seq,
            before,
            after,
            tuple(tuple(stage.told) for stage in turn.stages),
            tuple(turn.throws),
            turn.attempt,
        )
        for turn, (before, after) in zip(stored.turns, pairwise(states), strict=True)
    )
    end = states[-1]
    return Chronicle(end.mages, turns, stored.outcome or end.outcome, stored.number, stored.users)


def keep_record(stored: StoredBattle) -> Record:
    """The record of a stored battle; its rolls are written out, its seed is not.

    A record holds everything, also what a running battle hides: it is for the time after the end, and for janitors.
    """
    orders = [tuple(_orders_of(stage.lines) for stage in turn.stages) for turn in stored.turns]
    return write_down(tell_again(stored), orders)


def _orders_of(lines: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {mage: tuple(Sheet.from_lines(written).lines()) for mage, written in lines.items()}
