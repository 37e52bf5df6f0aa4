"""Checks whether the current rules still play a record as it was played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rules_engine.errors import RollNotFromSeed, RulesError
from rules_engine.events import Event, write_event
from rules_engine.outcome import AGREED, DECIDED, FORFEIT, NO_RESULT, Outcome, write_outcome
from rules_engine.records.check_proof import BEGINNING, check_beginning, check_seals
from rules_engine.records.chronicle import PlayedTurn, find_result
from rules_engine.records.input_digest import digest_input
from rules_engine.records.play import play_turns
from rules_engine.records.record import Creature, Record, RecordedCast, RecordedTurn, Result
from rules_engine.records.stored_battle import StoredBattle, build_record

OUTSIDE_THE_RULES = (FORFEIT, AGREED, *NO_RESULT)
"""Ends that need no turn to bring them about."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One fact that differs: in the record, and by the current rules. `turn` is its label, or `BEGINNING`."""

    turn: str
    what: str
    recorded: str
    played: str

    def __str__(self) -> str:
        where = self.turn if self.turn == BEGINNING else f"turn {self.turn}"
        return f"{where}: {self.what}: recorded {self.recorded}, played {self.played}"


def verify_record(record: Record, *, events: bool = True) -> tuple[Mismatch, ...]:
    """Play the record and list the differences of the first turn that has any; empty if none has.

    Compares as much of a turn as its result says, and checks every commitment. `events` False ignores the digest of
    events, for a record from a time when they had other facts.
    """
    return _verify(record, lambda turn, played: _compare(turn, played, events), events=events)


def verify_stored(stored: StoredBattle) -> tuple[Mismatch, ...]:
    """Play a stored battle by the current rules of its edition, and list differences as `verify_record` does.

    Compares events one by one, with their audience but without their causes. Raises the errors of reading the stored
    states: UnknownRuleset, UnknownState.
    """
    if not stored.turns:
        return ()
    kept = {turn.seq: [event for stage in turn.stages for event in stage.events] for turn in stored.turns}
    return _verify(
        build_record(stored),
        lambda turn, played: (*_compare(turn, played, False), *_compare_events(played, kept[turn.seq])),
    )


def _verify(
    record: Record, compare: Callable[[RecordedTurn, PlayedTurn], Iterable[Mismatch]], *, events: bool = True
) -> tuple[Mismatch, ...]:
    if broken := tuple(Mismatch(BEGINNING, *each) for each in check_beginning(record)):
        return broken
    turns = play_turns(record)
    is_whole = _has_digests(record)
    last: PlayedTurn | None = None
    for turn in record.turns:
        given = (
            *(_find_missing(turn, events) if is_whole else ()),
            *_compare_given(record, turn),
            *(Mismatch(turn.label, *each) for each in check_seals(record, turn)),
        )
        try:
            last = next(turns)
        except RollNotFromSeed as error:
            return (*given, Mismatch(turn.label, error.roll, error.recorded, error.rolled))
        except RulesError as error:
            return (*given, Mismatch(turn.label, "the rules", "play on", str(error)))
        mismatches = (*given, *compare(turn, last))
        if mismatches:
            return mismatches
    if record.proof and record.outcome is None and (last is None or last.after.outcome is None):
        # Seed and salts are opened when the battle ends, so the rest of the record is missing.
        return (Mismatch(last.label if last else BEGINNING, "outcome", "none", "an end of the battle"),)
    return tuple(_compare_ends(record.outcome, last)) if last else ()


def _has_digests(record: Record) -> bool:
    """Return whether the record was written with digests. A turn without them has then lost them: nobody writes them by
    hand, and a record with commitments always has them."""
    return record.proof is not None or any(turn.result and turn.result.given for turn in record.turns)


def _find_missing(turn: RecordedTurn, events: bool) -> Iterator[Mismatch]:
    result = turn.result or Result()
    if events and result.told is None:
        yield Mismatch(turn.label, "events", "nothing", "their number and digest")
    if result.given is None:
        yield Mismatch(turn.label, "orders and rolls", "nothing", "their digest")


def _compare_given(record: Record, turn: RecordedTurn) -> Iterator[Mismatch]:
    """Yield the orders and rolls that are not those of the digest, also where no rule shows the difference."""
    written = turn.result.given if turn.result else None
    if written is not None and written != (there := digest_input(record, turn)):
        yield Mismatch(turn.label, "orders and rolls", written, there)


def _compare_events(played: PlayedTurn, kept: Sequence[Event]) -> Iterator[Mismatch]:
    """Yield the first event that says something else, or has another audience."""
    pairs = zip_longest(map(_say, kept), map(_say, played.events), fillvalue="none")
    for number, (recorded, now) in enumerate(pairs, start=1):
        if recorded != now:
            yield Mismatch(played.label, f"event {number}", recorded, now)
            return


def _say(event: Event) -> str:
    written = write_event(event)
    return json.dumps([written["kind"], written["facts"], written["audience"]], sort_keys=True)


def _compare(turn: RecordedTurn, played: PlayedTurn, events: bool) -> Iterator[Mismatch]:
    if turn.label != played.label:
        yield Mismatch(turn.label, "label", turn.label, played.label)
    if turn.seq != played.seq:
        yield Mismatch(turn.label, "seq", str(turn.seq), str(played.seq))
    if turn.result is not None:
        for what, recorded, now in _facts(turn.result, find_result(played), events):
            if recorded != now:
                yield Mismatch(turn.label, what, recorded, now)


def _facts(recorded: Result, played: Result, events: bool) -> Iterator[tuple[str, str, str]]:
    for mage in {**recorded.gestures, **(played.gestures if recorded.given else {})}:
        yield f"gestures of {mage}", _hands(recorded, mage), _hands(played, mage)
    for mage in {**recorded.hp, **(played.hp if recorded.given else {})}:
        yield f"hit points of {mage}", _points(recorded, mage), _points(played, mage)
    complete = recorded.told is not None
    for what, listed, there in (
        ("spells", _spells(recorded.casts), _spells(played.casts)),
        ("creatures", _creatures(recorded.creatures), _creatures(played.creatures)),
    ):
        now = there if complete else [one for one in there if one in listed]
        yield what, "; ".join(listed) or "none", "; ".join(now) or "none"
    if events and recorded.told is not None:
        yield "events", _write_digest(recorded), _write_digest(played)


def _hands(result: Result, mage: str) -> str:
    return "/".join(result.gestures.get(mage, ("nothing",)))


def _points(result: Result, mage: str) -> str:
    return str(result.hp.get(mage, "nothing"))


def _spells(casts: tuple[RecordedCast, ...]) -> list[str]:
    return sorted(f"{c.mage} {c.hand} {c.spell}" + (f" at {c.target}" if c.target else "") for c in casts)


def _creatures(creatures: tuple[Creature, ...]) -> list[str]:
    return sorted(f"{c.name} {c.hp} of {c.controller} against {c.target}" for c in creatures)


def _write_digest(result: Result) -> str:
    count, digest = result.told or (0, "")
    return f"{count} ({digest})"


def _compare_ends(recorded: Outcome | None, last: PlayedTurn) -> Iterator[Mismatch]:
    """Yield differences of the end. An end that the rules do not have (a forfeit) is not a mismatch.

    Nor is an end that a janitor has set, whatever the rules say.
    """
    played = last.after.outcome
    if recorded is not None and recorded.reason == DECIDED:
        return
    if played is None and recorded is not None and recorded.reason in OUTSIDE_THE_RULES:
        return
    if played != recorded:
        yield Mismatch(last.label, "outcome", _end(recorded), _end(played))


def _end(outcome: Outcome | None) -> str:
    return "none" if outcome is None else str(write_outcome(outcome))
