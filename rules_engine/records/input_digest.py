"""A digest of a turn's input: orders and rolls. A replay does not always reveal that they were changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from rules_engine.records.record import Record, RecordedTurn, Result

DIGITS = 16


def digest_input(record: Record, turn: RecordedTurn) -> str:
    """Return a digest of the orders and rolls of a turn, and for the first turn also of the battle's start.

    It detects changed orders or rolls that had no effect, which replaying cannot detect.
    """
    given: list[object] = [turn.label, turn.seq, turn.attempt, turn.throws]
    given.append([[(mage, sorted(lines)) for mage, lines in stage.items()] for stage in turn.stages])
    if turn is record.turns[0]:
        given += [record.number, record.ruleset, record.edition, record.mages, record.users, record.opening]
        given.append(record.start)
    written = json.dumps(given, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:DIGITS]


def add_digests(record: Record) -> Record:
    """Return the record with this digest in the result of every turn."""
    turns = [
        replace(turn, result=replace(turn.result or Result(), given=digest_input(record, turn)))
        for turn in record.turns
    ]
    return replace(record, turns=tuple(turns))
