"""A digest of what a turn was given: orders and rolls. What a change of them leads to, the rules may not show."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from rules_engine.records.record import Record, RecordedTurn, Result

DIGITS = 16


def digest_given(record: Record, turn: RecordedTurn) -> str:
    """A digest of the orders and rolls of a turn, and for the first turn also of how the battle began.

    It finds an order or a roll that was changed without any effect, which replaying cannot find.
    """
    given: list[object] = [turn.label, turn.seq, turn.attempt, turn.throws]
    given.append([[(mage, sorted(lines)) for mage, lines in stage.items()] for stage in turn.stages])
    if turn is record.turns[0]:
        given += [record.number, record.ruleset, record.edition, record.mages, record.users, record.opening]
        given.append(record.start)
    written = json.dumps(given, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:DIGITS]


def add_digests(record: Record) -> Record:
    """The record with this digest in the result of every turn."""
    turns = [
        replace(turn, result=replace(turn.result or Result(), given=digest_given(record, turn)))
        for turn in record.turns
    ]
    return replace(record, turns=tuple(turns))
