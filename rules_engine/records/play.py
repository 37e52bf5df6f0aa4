"""Plays a record: the same orders and the same rolls by the current rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rules_engine.battle import Asks, Done, advance, new_duel
from rules_engine.beings import COLOURS, ORDERS
from rules_engine.dice import Dice, KeyedDice, ProvenDice, Roll, ScriptedDice
from rules_engine.errors import RecordDeparts
from rules_engine.events import Event
from rules_engine.orders import Sheet
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.record import Record, RecordedTurn
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State
from rules_engine.store import read_state

Orders = Mapping[str, tuple[str, ...]]


def play_record(record: Record) -> Chronicle:
    """Play the whole battle by the current rules.

    Raises RecordDeparts if the rules need something that is not in the record, or end the battle earlier; and
    UnknownRuleset, UnknownState, UnrecordedRoll.
    """
    turns = tuple(play_turns(record))
    outcome = turns[-1].after.outcome if turns else None
    return Chronicle(record.mages, turns, outcome or record.outcome, record.number, record.users)


def play_turns(record: Record) -> Iterator[PlayedTurn]:
    """Yield each turn as soon as it is played; raises the same errors as `play_record`."""
    state = begin(record)
    for turn in record.turns:
        played = play_turn(record, state, turn)
        yield played
        state = played.after


def begin(record: Record) -> State:
    """Return the state before the first turn; raises the same errors as `play_record`."""
    if record.start is not None:
        return _read_start(record, record.start)
    rules = get_ruleset(record.ruleset, record.edition)
    dice = _dice(record, record.opening, 0, 0, "1")
    try:
        return new_duel(rules, record.mages, dice=dice)
    except ValueError as error:
        raise RecordDeparts("1", str(error)) from error


def _read_start(record: Record, start: Mapping[str, Any]) -> State:
    try:
        state = read_state(start)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise RecordDeparts("start", f"this is not a state: {error!r}") from error
    if state.mages != record.mages:
        raise RecordDeparts("start", f"its mages are {', '.join(state.mages)}")
    if record.proof is not None:
        # A handicap changes hit points, not colours.
        thrown = ({"purpose": "colours", "who": "", "picked": COLOURS.index(state.colours[0])},)
        new_duel(state.ruleset, state.mages, dice=_dice(record, thrown, 0, 0, "1"))
    return state


def _dice(record: Record, throws: Iterable[Roll] | None, seq: int, attempt: int, label: str) -> Dice:
    """Return the dice: recorded rolls, or else the seed; with a proof, recorded rolls that the seed gives."""
    if throws is not None and record.proof is not None and record.seed is not None:
        seeds = (record.seed, *(seed for seed, _ in record.proof.earlier))
        return ProvenDice(throws, [(seed, seq, attempt) for seed in seeds], record.proof.former_names)
    if throws is not None:
        return ScriptedDice(throws)
    if record.seed is None:
        raise RecordDeparts(label, "the record has neither rolls nor a seed")
    return KeyedDice(record.seed, seq, attempt)


def play_stages(record: Record) -> Iterator[tuple[State, Orders, Asks | Done]]:
    """Yield the state before each stage, its orders, and what they led to; raises the same errors as `play_record`."""
    state = begin(record)
    for turn in record.turns:
        dice = _dice(record, turn.throws, turn.seq, turn.attempt, turn.label)
        for lines in turn.stages:
            done = advance(state, _sheets(state, turn.label, lines), dice)
            yield state, lines, done
            state = done.state


def take_as_written(state: State, lines: Orders) -> Orders:
    """Return the lines of a stage, unchanged: they are canonical."""
    return lines


def play_turn(
    record: Record,
    before: State,
    turn: RecordedTurn,
    read: Callable[[State, Orders], Orders] = take_as_written,
) -> PlayedTurn:
    """Play one turn of the record; `read` makes its lines canonical. Raises the same errors as `play_record`."""
    if before.over:
        raise RecordDeparts(turn.label, "the battle has ended before this turn")
    # Every stage of a turn has the same key, so one object rolls for all of them.
    dice = _dice(record, turn.throws, turn.seq, turn.attempt, turn.label)
    state, events = before, list[tuple[Event, ...]]()
    for number, lines in enumerate(turn.stages, start=1):
        step = advance(state, _sheets(state, turn.label, read(state, lines)), dice)
        events.append(step.events)
        state = step.state
        if isinstance(step, Done):
            if number < len(turn.stages):
                raise RecordDeparts(turn.label, "the record holds answers that nobody asks for")
            return PlayedTurn(before.label, before.seq, before, state, tuple(events), tuple(dice.rolls), turn.attempt)
    raise RecordDeparts(turn.label, f"no answers from {', '.join(state.owing)}")


def _sheets(state: State, label: str, lines: Orders) -> dict[str, Sheet]:
    sheets = {mage: Sheet.from_lines(written) for mage, written in lines.items()}
    late = [name for name, sheet in sheets.items() if sheet.is_by_clock]
    asked = [n for n in state.owing if state.wizards[n].phase == ORDERS and n not in late]
    missing = [name for name in asked if not (name in sheets and sheets[name].has_both)]
    if missing and (not late or len(state.still_in) - len(late) > 1):
        raise RecordDeparts(label, f"no gestures from {', '.join(missing)}")
    return sheets
