"""Records as text (docs/game-record.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rules_engine.dice import Roll
from rules_engine.outcome import Outcome
from rules_engine.records.commitments import Proof
from rules_engine.records.lines import is_canonical, is_word
from rules_engine.records.record import FORMAT, Record, RecordedTurn, Result


def write_record(record: Record) -> str:
    """Return the record as text, which `parse_record` reads back as an equal record.

    Raises ValueError for anything impossible in a battle: a name with a space, a line that is not a canonical order, a
    turn without a stage.
    """
    _check(record)
    parts = [_head(record), *map(_turn, record.turns)]
    if record.outcome is not None:
        parts.append(_outcome(record.outcome))
    return "\n".join("\n".join(part) + "\n" for part in parts)


def _check(record: Record) -> None:
    names = [record.ruleset, *record.mages, *record.users.values(), *(turn.label for turn in record.turns)]
    for name in names:
        if not is_word(name):
            raise ValueError(f"{name!r} is not a name")
    for turn in record.turns:
        if not turn.stages:
            raise ValueError(f"turn {turn.label} has no stage")
        for stage in turn.stages:
            for line in (line for lines in stage.values() for line in lines):
                if not is_canonical(line):
                    raise ValueError(f"{line!r} is not a canonical order")


def _head(record: Record) -> Iterator[str]:
    yield f"record {FORMAT}"
    if record.number is not None:
        yield f"battle {record.number}"
    yield f"ruleset {record.ruleset} {record.edition}"
    for mage in record.mages:
        user = record.users.get(mage)
        yield f"mage {mage}" if user is None else f"mage {mage} {user}"
    if record.seed is not None:
        yield f"seed {json.dumps(record.seed)}"
    yield from _proof(record.proof)
    yield from _throws(record.opening)
    if record.start is not None:
        yield "start " + json.dumps(record.start, separators=(",", ":"))


def _proof(proof: Proof | None) -> Iterator[str]:
    if proof is None:
        return
    yield f"terms {proof.terms}"
    yield f"commitment {proof.commitment}"
    yield from (f"earlier {commitment} {json.dumps(seed)}" for seed, commitment in proof.earlier)
    yield from (f"former {name} {former}" for name, former in proof.former_names.items())
    for label, seq, attempt, stage, mage, commitment in proof.void:
        yield f"void {label} seq {seq} attempt {attempt} stage {stage} {mage} {commitment}"


def _throws(throws: Iterable[Roll] | None) -> Iterator[str]:
    if throws is None:
        return
    lines = [" ".join(json.dumps(throw[key]) for key in ("purpose", "who", "picked")) for throw in throws]
    yield from (f"throw {line}" for line in lines)
    if not lines:
        yield "no throws"


def _turn(turn: RecordedTurn) -> Iterator[str]:
    yield f"turn {turn.label} seq {turn.seq}" + (f" attempt {turn.attempt}" if turn.attempt else "")
    yield from _throws(turn.throws)
    for number, stage in enumerate(turn.stages):
        if number:
            yield "answers"
        for mage, lines in stage.items():
            yield f"orders {mage}"
            yield from (f"  {line}" for line in lines)
        for mage, seal in (turn.seals[number] if number < len(turn.seals) else {}).items():
            yield from (f"commit {mage} {commitment}" for commitment in seal.sets)
            if seal.salt:
                yield f"salt {mage} {seal.salt}"
            yield f"closed {mage} {seal.closed} {seal.closing_salt}"
    if turn.result is not None:
        yield "result"
        yield from (f"  {line}" for line in _result(turn.result))


def _result(result: Result) -> Iterator[str]:
    for mage, (left, right) in result.gestures.items():
        yield f"gestures {mage} {left} {right}"
    for cast in result.casts:
        at = "" if cast.target is None else f" at {cast.target}"
        yield f"casts {cast.mage} {cast.hand} {cast.spell}{at}"
    for mage, hp in result.hp.items():
        yield f"hp {mage} {hp}"
    for creature in result.creatures:
        yield f"creature {creature.name} {creature.hp} {creature.controller} {creature.target}"
    if result.told is not None:
        yield f"told {result.told[0]} {result.told[1]}"
    if result.given is not None:
        yield f"given {result.given}"


def _outcome(outcome: Outcome) -> Iterator[str]:
    yield f"outcome {outcome.type} {outcome.reason}"
    yield from (f"winner {name}" for name in outcome.winners)
    yield from (f"dead {name}" for name in outcome.dead)
    yield from (f"surrendered {name}" for name in outcome.surrendered)
    yield from (f"sharing {name}" for name in outcome.sharing)
    yield from (f"absent {name}" for name in outcome.absent)
    if outcome.by:
        yield f"by {outcome.by}"
    if outcome.turn:
        yield f"in {outcome.turn}"
