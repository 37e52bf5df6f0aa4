"""Records a battle as played, and plays drafts that hold only orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules_engine.battle import new_duel
from rules_engine.beings import COLOURS
from rules_engine.dice import Roll, ScriptedDice
from rules_engine.errors import InvalidRecord, Problem
from rules_engine.notation import read_orders
from rules_engine.records.chronicle import Chronicle, find_result
from rules_engine.records.input_digest import add_digests
from rules_engine.records.play import begin, play_turn
from rules_engine.records.record import Record, RecordedTurn
from rules_engine.state import State
from rules_engine.store import write_state

Orders = Mapping[str, tuple[str, ...]]


def write_down(chronicle: Chronicle, orders: Sequence[Sequence[Orders]]) -> Record:
    """Return the record of a battle; `orders` are the canonical lines of each stage of each turn, by mage.

    Raises ValueError for a battle without a turn: there is nothing to record.
    """
    if not chronicle.turns:
        raise ValueError("no turn has been played")
    first = chronicle.turns[0].before
    opening = _opening(first)
    record = Record(
        ruleset=first.ruleset.name,
        edition=first.ruleset.edition,
        mages=chronicle.mages,
        turns=tuple(
            RecordedTurn(
                label=turn.label,
                seq=turn.seq,
                stages=tuple(dict(stage) for stage in stages),
                throws=turn.throws,
                attempt=turn.attempt,
                result=find_result(turn),
            )
            for turn, stages in zip(chronicle.turns, orders, strict=True)
        ),
        number=chronicle.number,
        users=dict(chronicle.users),
        opening=opening,
        start=None if opening else write_state(first),
        outcome=chronicle.outcome,
    )
    return add_digests(record)


def _opening(first: State) -> tuple[Roll, ...] | None:
    """Return the rolls with which a battle begins as this one did; None if its record does not begin with the first
    turn."""
    throws = ({"purpose": "colours", "who": "", "picked": COLOURS.index(first.colours[0])},)
    fresh = new_duel(first.ruleset, first.mages, dice=ScriptedDice(throws))
    return throws if write_state(fresh) == write_state(first) else None


def complete_record(draft: Record) -> Record:
    """Play the draft by the current rules: canonical orders, the rolls, and the result of every turn.

    The orders of a draft may be written as a mage would write them (see `parse_record`, `free_orders`). Raises
    InvalidRecord with every problem of the first stage that has any, and the errors of `play_record`.
    """
    state = begin(draft)
    played, orders = [], []
    for turn in draft.turns:
        canonical: list[Orders] = []

        def read(state: State, lines: Orders, turn: RecordedTurn = turn, kept: list[Orders] = canonical) -> Orders:
            kept.append(_read_stage(state, turn.label, lines))
            return kept[-1]

        played.append(play_turn(draft, state, turn, read))
        orders.append(canonical)
        state = played[-1].after
    outcome = state.outcome or draft.outcome
    if not played:
        return draft
    chronicle = Chronicle(draft.mages, tuple(played), outcome, draft.number, draft.users)
    return replace(write_down(chronicle, orders), seed=draft.seed)


def _read_stage(state: State, label: str, lines: Orders) -> Orders:
    problems: list[Problem] = []
    read = {}
    for mage, written in lines.items():
        orders = read_orders(state, mage, "\n".join(written))
        problems += [replace(p, line=0, message=f"turn {label}, {mage}: {p.message}") for p in orders.problems]
        read[mage] = tuple(orders.sheet.lines())
    if problems:
        raise InvalidRecord(tuple(problems))
    return read
