"""Battles that bots play to be recorded, always with the same result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules_engine import Done, KeyedDice, Sheet, State, Viewer, advance, get_ruleset, look, new_duel
from rules_engine.bots import choose_orders
from rules_engine.gestures import LEFT, RIGHT
from rules_engine.questions import complete_surrender
from rules_engine.records import Record, RecordedTurn, parse_record, write_record

# People give up where deaths are real; the bots fight on. At most so many hit points, and fewer than the others have.
GIVES_UP = 4


def read_recorded(text: str) -> Record:
    """Return the record that `record_battle_of_bots` wrote."""
    return parse_record(text)


def write_recorded(record: Record) -> str:
    return write_record(record)


def record_battle_of_bots(
    *,
    mages: Sequence[str],
    strengths: Mapping[str, str],
    ruleset: str,
    seed: str,
    turns: int,
    fearful: bool,
    ends: bool,
) -> Record | None:
    """Return the record of a battle of at most so many `turns`, with a seed in place of rolls; None if it doesn't end
    by then, or, if it must not end (`ends` False), if it does.

    Each mage plays with one of the `strengths` of bots; if they are `fearful`, a mage who is losing surrenders.
    """
    rules = get_ruleset(ruleset)
    state = new_duel(rules, mages, dice=KeyedDice(seed, 0, 0))
    played: list[RecordedTurn] = []
    while not state.over and len(played) < turns:
        label, seq = state.label, state.seq
        stages, state = _play_turn(state, seed, strengths, fearful=fearful)
        played.append(RecordedTurn(label, seq, tuple(stages)))
    if state.over != ends:
        return None
    record = Record(rules.name, rules.edition, tuple(mages), tuple(played), seed=seed)
    return replace(record, outcome=state.outcome)


def _play_turn(
    state: State, seed: str, strengths: Mapping[str, str], *, fearful: bool
) -> tuple[list[dict[str, tuple[str, ...]]], State]:
    dice, stages = KeyedDice(seed, state.seq, 0), []
    loser = _find_loser(state) if fearful else None
    while True:
        sheets = {mage: _choose(state, mage, seed, strengths[mage], gives_up=mage == loser) for mage in state.owing}
        stages.append({mage: tuple(sheet.lines()) for mage, sheet in sheets.items()})
        step = advance(state, sheets, dice)
        state = step.state
        if isinstance(step, Done):
            return stages, state


def _choose(state: State, mage: str, seed: str, strength: str, *, gives_up: bool) -> Sheet:
    if gives_up and not state.stage:
        return complete_surrender(state, mage, Sheet({LEFT: "P", RIGHT: "P"}))
    return Sheet.from_lines(choose_orders(state, mage=mage, strength=strength, seed=f"{seed} {mage}"))


def _find_loser(state: State) -> str | None:
    """Return the mage who gives up now, if any."""
    points = sorted(
        (mage.hp or 0, mage.name) for mage in look(state, Viewer.all_seeing()).mages if mage.standing == "in"
    )
    (least, name), (next_least, _) = points[:2]
    return name if least <= GIVES_UP and least < next_least else None
