"""The contents of a game record: the input of a battle, and its result (docs/game-record.md).

Plain values without behaviour; `text` writes and reads them, `playing` plays them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_engine.dice import Roll
from rules_engine.outcome import Outcome
from rules_engine.records.commitments import Proof, Seal

FORMAT = 1
"""The number of the text form. A reader rejects numbers it does not know."""


@dataclass(frozen=True, slots=True)
class RecordedCast:
    """A spell that left a hand ("LH", "RH", "BH") or the bank ("FIRE"); `target` is None for spells without one."""

    mage: str
    hand: str
    spell: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Creature:
    """A monster at the end of a turn."""

    name: str
    hp: int
    controller: str
    target: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a turn, by mage: the gestures of its columns, hit points at its end, spells cast, and creatures.

    A turn has one column, and one more if an Anti Spell cut strings; gestures are (left, right), a letter for each.
    `told` is the number of events and a digest of them. If it is there, casts and creatures are complete; if it is
    None, the result says only what it lists. `given` is a digest of the orders and rolls
    (`input_digest.digest_input`); if it is there, gestures and hit points are complete too.
    """

    gestures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    hp: Mapping[str, int] = field(default_factory=dict)
    casts: tuple[RecordedCast, ...] = ()
    creatures: tuple[Creature, ...] = ()
    told: tuple[int, str] | None = None
    given: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn: `stages` are order lines by mage, first the gestures, then each round of answers.

    `throws` is None if the record's seed decides chance. `result` is None if nobody has recorded it yet. `seals` are
    the commitments to the orders of each stage, by mage, in a record with a proof.
    """

    label: str
    seq: int
    stages: tuple[Mapping[str, tuple[str, ...]], ...]
    throws: tuple[Roll, ...] | None = None
    attempt: int = 0
    result: Result | None = None
    seals: tuple[Mapping[str, Seal], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A battle, from its first turn or from `start` (a state as `write_state` makes it).

    Chance comes from the rolls of each turn or, if they are None, from `seed`; `opening` has the rolls from before the
    first turn. `users` names the owners of mages, if they matter. With a `proof`, the rolls must be those of the seed.
    """

    ruleset: str
    edition: int
    mages: tuple[str, ...]
    turns: tuple[RecordedTurn, ...] = ()
    number: int | None = None
    users: Mapping[str, str] = field(default_factory=dict)
    seed: str | None = None
    opening: tuple[Roll, ...] | None = None
    start: Mapping[str, Any] | None = None
    outcome: Outcome | None = None
    proof: Proof | None = None
