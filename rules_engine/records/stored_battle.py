"""Makes records from the pieces stored during a battle: states before turns, rolls, orders and events.

The pieces are plain values; a caller who keeps them in rows makes a `StoredBattle` from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from rules_engine.dice import Roll
from rules_engine.events import Event
from rules_engine.orders import Sheet
from rules_engine.outcome import Outcome
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.commitments import Proof, Seal
from rules_engine.records.record import Record
from rules_engine.records.recorder import write_down
from rules_engine.store import read_state


@dataclass(frozen=True, slots=True)
class StoredStage:
    """One stage: the canonical lines of each mage who owed orders, the events, and the commitments to the orders."""

    lines: Mapping[str, Sequence[str]]
    events: Sequence[Event]
    seals: Mapping[str, Seal] = field(default_factory=dict)


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

    `outcome` is its end, even if no rule of the engine ended it (a forfeit). `seed` and `proof` are None unless they
    are public.
    """

    turns: Sequence[StoredTurn]
    after: Mapping[str, Any]
    number: int | None = None
    users: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    seed: str | None = None
    proof: Proof | None = None


def rebuild_chronicle(stored: StoredBattle) -> Chronicle:
    """Return the battle as it was played, regardless of the current rules."""
    states = [read_state(turn.before) for turn in stored.turns] + [read_state(stored.after)]
    turns = tuple(
        PlayedTurn(
            before.label,
            turn.seq,
            before,
            after,
            tuple(tuple(stage.events) for stage in turn.stages),
            tuple(turn.throws),
            turn.attempt,
        )
        for turn, (before, after) in zip(stored.turns, pairwise(states), strict=True)
    )
    end = states[-1]
    return Chronicle(end.mages, turns, stored.outcome or end.outcome, stored.number, stored.users)


def build_record(stored: StoredBattle) -> Record:
    """Return the record of a stored battle, with its rolls; with its seed and commitments only if it has a proof.

    A record contains everything, even secrets of a running battle: use it after the end, or for janitors.
    """
    orders = [tuple(_orders_of(stage.lines) for stage in turn.stages) for turn in stored.turns]
    record = write_down(rebuild_chronicle(stored), orders)
    if stored.proof is None:
        return record
    seals = [tuple(stage.seals for stage in turn.stages) for turn in stored.turns]
    turns = (replace(turn, seals=each) for turn, each in zip(record.turns, seals, strict=True))
    return replace(record, seed=stored.seed, proof=stored.proof, turns=tuple(turns))


def _orders_of(lines: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {mage: tuple(Sheet.from_lines(written).lines()) for mage, written in lines.items()}
