"""The state of reading a record, and the lines of its commitments."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from rules_engine.dice import Roll
from rules_engine.errors import Problem
from rules_engine.records.commitments import Seal
from rules_engine.records.record import Creature, RecordedCast
from rules_engine.text import say

HASH, SALT = r"([0-9a-f]{64})", r"([0-9a-f]{32,64})"
A_HASH, A_SALT = "01" * 32, "01" * 16
ONCE = frozenset({"record", "battle", "ruleset", "seed", "start", "terms", "commitment", "outcome", "by", "in"})
ONCE_IN_A_TURN = {"result": 0, "told": 0, "given": 0, "gestures": 1, "hp": 1, "salt": 1, "closed": 1}
"""keyword → how many of its values belong to the question that it answers: the mage, or nothing"""
FATES = ("winner", "dead", "surrendered", "sharing", "absent")


@dataclass
class SealBeingRead:
    sets: list[str] = field(default_factory=list)
    salt: str = ""
    closed: str = ""
    closing_salt: str = ""


@dataclass
class TurnBeingRead:
    label: str
    seq: int
    attempt: int
    stages: list[dict[str, list[str]]] = field(default_factory=lambda: [{}])
    throws: list[Roll] | None = None
    gestures: dict[str, tuple[str, str]] = field(default_factory=dict)
    hp: dict[str, int] = field(default_factory=dict)
    casts: list[RecordedCast] = field(default_factory=list)
    creatures: list[Creature] = field(default_factory=list)
    told: tuple[int, str] | None = None
    given: str | None = None
    has_result: bool = False
    seals: list[dict[str, SealBeingRead]] = field(default_factory=lambda: [{}])

    def seal_of(self, mage: str) -> SealBeingRead:
        return self.seals[-1].setdefault(mage, SealBeingRead())


@dataclass
class RecordReader:
    free_orders: bool
    number: int = 0
    line: str = ""
    head: dict[str, Any] = field(default_factory=dict)
    mages: dict[str, str | None] = field(default_factory=dict)
    opening: list[Roll] | None = None
    turns: list[TurnBeingRead] = field(default_factory=list)
    outcome: list[str] = field(default_factory=list)
    fates: dict[str, list[str]] = field(default_factory=lambda: {fate: [] for fate in FATES})
    ended: dict[str, str] = field(default_factory=dict)
    earlier: list[tuple[str, str]] = field(default_factory=list)
    former_names: dict[str, str] = field(default_factory=dict)
    void: list[tuple[str, int, int, int, str, str]] = field(default_factory=list)
    orders_of: str | None = None
    problems: list[Problem] = field(default_factory=list)
    said: dict[tuple[object, ...], int] = field(default_factory=dict)

    def reject(self, code: str, message: str, nearest: str | None = None) -> None:
        self.problems.append(Problem(self.number, self.line, code, message, nearest))

    @property
    def turn(self) -> TurnBeingRead | None:
        """The turn being read; a line of a turn is rejected before the first one."""
        if not self.turns:
            self.reject("turn_expected", say("This line belongs to a turn, and no turn has begun."), "turn 1 seq 1")
            return None
        return self.turns[-1]

    def say_once(self, key: str, groups: tuple[str | None, ...]) -> None:
        """Reject a line that states a fact again. If the last one counted, verify would not look at the others."""
        fact: tuple[object, ...] = (key,)
        if key in ONCE_IN_A_TURN:
            stage = len(self.turns[-1].stages) if self.turns and key in ("salt", "closed") else 0
            fact = (key, len(self.turns), stage, *groups[: ONCE_IN_A_TURN[key]])
        elif key == "former":
            fact = (key, groups[0])
        elif key not in ONCE:
            return
        before = self.said.setdefault(fact, self.number)
        if before != self.number:
            self.reject(
                "said_twice", say("Line {before} says this already. Delete one of the two lines.", before=before)
            )

    def knows(self, mage: str) -> bool:
        """Return whether the record has this mage; rejects the line if not."""
        if mage in self.mages:
            return True
        near = get_close_matches(mage, self.mages, n=1)
        self.reject("unknown_mage", say("{mage} is not a mage of this record.", mage=mage), near[0] if near else None)
        return False


def read_json(reader: RecordReader, written: str, kind: type, form: str) -> Any:
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        reader.reject("malformed", say("This is not valid JSON."), form)
        return None
    return value


def _read_terms(reader: RecordReader, written: str) -> None:
    reader.head["terms"] = written


def _read_commitment(reader: RecordReader, commitment: str) -> None:
    reader.head["commitment"] = commitment


def _read_earlier(reader: RecordReader, commitment: str, written: str) -> None:
    reader.earlier.append((read_json(reader, written, str, f'earlier {A_HASH} "abc"') or "", commitment))


def _read_former(reader: RecordReader, name: str, former: str) -> None:
    if reader.knows(name):
        reader.former_names[name] = former


def _read_void(
    reader: RecordReader, label: str, seq: str, attempt: str, stage: str, mage: str, commitment: str
) -> None:
    if reader.knows(mage):
        reader.void.append((label, int(seq), int(attempt), int(stage), mage, commitment))


def _read_commit(reader: RecordReader, mage: str, commitment: str) -> None:
    if (turn := reader.turn) and reader.knows(mage):
        turn.seal_of(mage).sets.append(commitment)


def _read_salt(reader: RecordReader, mage: str, salt: str) -> None:
    if (turn := reader.turn) and reader.knows(mage):
        turn.seal_of(mage).salt = salt


def _read_closed(reader: RecordReader, mage: str, commitment: str, salt: str) -> None:
    if (turn := reader.turn) and reader.knows(mage):
        seal = turn.seal_of(mage)
        seal.closed, seal.closing_salt = commitment, salt


def build_seals(turn: TurnBeingRead) -> tuple[dict[str, Seal], ...]:
    return tuple(
        {mage: Seal(seal.closed, seal.closing_salt, tuple(seal.sets), seal.salt) for mage, seal in stage.items()}
        for stage in turn.seals
    )


COMMITMENT_KEYS: dict[str, tuple[str, str, Callable[..., None]]] = {
    "terms": (r"(\{.*\})", "terms {...}", _read_terms),
    "commitment": (HASH, f"commitment {A_HASH}", _read_commitment),
    "earlier": (rf"{HASH} (.+)", f'earlier {A_HASH} "abc"', _read_earlier),
    "former": (r"(\S+) (\S+)", "former Ayla Guest1", _read_former),
    "void": (
        rf"(\S+) seq (\d{{1,9}}) attempt (\d{{1,9}}) stage (\d{{1,9}}) (\S+) {HASH}",
        f"void 3 seq 3 attempt 0 stage 0 Ayla {A_HASH}",
        _read_void,
    ),
    "commit": (rf"(\S+) {HASH}", f"commit Ayla {A_HASH}", _read_commit),
    "salt": (rf"(\S+) {SALT}", f"salt Ayla {A_SALT}", _read_salt),
    "closed": (rf"(\S+) {HASH} {SALT}", f"closed Ayla {A_HASH} {A_SALT}", _read_closed),
}
"""Like KEYS of `reading`: keyword → (what may follow it, the whole line as an example, its reader)"""
