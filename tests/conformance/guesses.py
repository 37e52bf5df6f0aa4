"""Tries orders that a record leaves open, such as those of a mage nobody saw, until the rest of the game agrees.

Only the results of hidden orders are known. So an incompletely recorded turn may contain another spell, target or
gesture than the likeliest; a game passes if any such orders explain everything in the record.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules_engine import Sheet, open_questions
from rules_engine.beings import ORDERS
from rules_engine.gestures import SPELL_GESTURES
from rules_engine.state import State
from tests.conformance.comparison import Difference, Tally
from tests.conformance.records import Guess, RecordedTurn
from tests.conformance.replay import Departed

if TYPE_CHECKING:
    from tests.conformance.neutral_replay import NeutralReplay

MOST_TRIES = 400
MOST_GUESSES = 6


@dataclass(frozen=True)
class Standing:
    """A point to go back to: everything in a replay before a turn."""

    state: State
    known: dict[str, str]
    tally: Tally


@dataclass
class Attempt:
    """How far a replay got: the index of the turn that differs, and how much agreed."""

    difference: Difference | None
    at: int
    compared: int

    def is_better_than(self, other: "Attempt") -> bool:
        return self.difference is None or (self.at, self.compared) > (other.at, other.compared)


def play_guessing(replay: "NeutralReplay") -> Difference | None:
    """Plays the whole game; if it fails, tries other orders for earlier incomplete turns, the latest first."""
    standings: dict[int, Standing] = {}
    best = _attempt(replay, 0, standings)
    tries = 0
    for _ in range(MOST_GUESSES):
        if best.difference is None:
            return None
        better = None
        for at in sorted((at for at in standings if at <= best.at), reverse=True):
            for guess in _alternatives(replay, at, standings[at]):
                if at in replay.guesses or tries >= MOST_TRIES:
                    break
                tries += 1
                kept = dict(standings)
                replay.guesses[at] = guess
                attempt = _attempt(replay, at, kept)
                if attempt.is_better_than(better[0] if better else best):
                    better = (attempt, guess, at, kept, deepcopy(replay.tally))
                del replay.guesses[at]
            if better:
                break
        if better is None:
            break
        best, guess, at, standings, replay.tally = better
        replay.guesses[at] = guess
    return best.difference


def _attempt(replay: "NeutralReplay", at: int, standings: dict[int, Standing]) -> Attempt:
    """Plays from a turn to the end, and saves a point before each turn that leaves something open."""
    if at in standings:
        there = standings[at]
        replay.state, replay.known, replay.tally = there.state, dict(there.known), deepcopy(there.tally)
    try:
        for place, turn in enumerate(replay.game.turns[at:], start=at):
            replay.at, replay.label = place, turn.label
            if turn.unseen or turn.guesses:
                standings[replay.at] = Standing(replay.state, dict(replay.known), deepcopy(replay.tally))
            replay.play(turn)
        difference = replay.compare_ending()
    except Departed as departed:
        difference = departed.difference
    except Exception as breakdown:
        difference = Difference(replay.label, "the engine", "plays on", f"breaks down: {breakdown!r}")
    return Attempt(difference, replay.at, replay.tally.compared)


def _alternatives(replay: "NeutralReplay", at: int, standing: Standing) -> Iterator[Guess]:
    turn = replay.game.turns[at]
    yield from turn.guesses
    replay.state, replay.known = standing.state, dict(standing.known)
    for mage in turn.hidden:
        yield from _hidden_orders(replay, turn, mage)


def _hidden_orders(replay: "NeutralReplay", turn: RecordedTurn, mage: str) -> Iterator[Guess]:
    """Other spells and targets for the known or assumed gestures, then other gestures if they are unknown."""
    state = replay.state
    if mage not in state.owing:
        return
    lines = turn.orders.get(mage, ())
    yield from _other_orders(replay, mage, lines)
    if state.wizards[mage].phase != ORDERS:
        return
    for hand in turn.unknown_hands.get(mage, ()):
        for gesture in SPELL_GESTURES:
            made = (f"{hand} {gesture}",)
            yield Guess(mage, made)
            for guess in _other_orders(replay, mage, (*lines, *made)):
                yield Guess(mage, (*made, *guess.lines))


def _other_orders(replay: "NeutralReplay", mage: str, lines: Sequence[str]) -> Iterator[Guess]:
    sheet = replay.localized(lines)
    questions = open_questions(replay.state, mage, sheet)
    for question in questions:
        if question.kind in ("choose", "target"):
            yield from (_guess(mage, [question.line(o.value)]) for o in question.options if o.allowed)
    for question in questions:
        if question.kind == "choose":
            for option in question.options:
                chosen = question.line(option.value)
                yield from _targets_of(replay, mage, sheet, chosen)


def _targets_of(replay: "NeutralReplay", mage: str, sheet: Sheet, chosen: str) -> Iterator[Guess]:
    for question in open_questions(replay.state, mage, sheet.merged(Sheet.from_lines([chosen]))):
        if question.kind == "target":
            yield from (_guess(mage, [chosen, question.line(o.value)]) for o in question.options if o.allowed)


def _guess(mage: str, lines: Sequence[str]) -> Guess:
    return Guess(mage, tuple(lines))
