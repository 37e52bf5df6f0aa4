"""Grades another move for a turn that was played: its chance, as the analysis of the turn sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from rules_engine.bots.chance import Chance
from rules_engine.bots.findings import grade_of
from rules_engine.bots.hindsight import guess_chances
from rules_engine.bots.look_further import solve_position
from rules_engine.bots.moves import Moves
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.search import Search
from rules_engine.bots.shown_chances import shown_worth
from rules_engine.orders import Sheet
from rules_engine.puzzles import normalise
from rules_engine.state import State

KEPT_BY: Final = 0.1
"""A move counts if it keeps all but this of the best one's chance, and at most half of what the played move lost."""
MOST_ANSWERS: Final = 60
"""How many combinations of the others' moves are played."""


def find_least_kept(move: Mapping[str, Any]) -> float:
    """Return the chance that a better move has to keep, given the facts of the one that was played."""
    grade = grade_of(move)
    return float(grade["best"] - min(KEPT_BY, (grade["best"] - grade["chance"]) / 2))


def grade_orders(state: State, mage: str, sheet: Sheet, facts: Mapping[str, Any], *, seed: object) -> float:
    """Return the chance of complete, valid orders in the turn of these facts: against the others' mixes, or by what the
    mage could see if something was hidden from them.

    The moves that the analysis names have the chance that it gives them.
    """
    grade = grade_of(facts["moves"][mage])
    sheet = normalise(state, mage, sheet)
    named = [(facts["moves"][mage]["orders"], grade["chance"]), (grade["better_orders"], grade["best"])]
    named += [(grade["next"]["orders"], grade["next"]["chance"])] if grade["next"] else []
    for lines, chance in named:
        if sheet == normalise(state, mage, Sheet.from_lines(lines)):
            return float(chance)
    moves = Moves(shown_worth(state.ruleset.name))
    guessed = guess_chances(state, mage, sheet, moves=moves, seed=seed)
    if guessed is not None:
        return next(chance for move, chance in zip(guessed.moves, guessed.chances, strict=True) if move.sheet == sheet)
    search = Search(moves, Chance(seed, "second try", state.seq))
    return _weigh(search, state, mage, sheet, facts["mixes"])


def _weigh(
    search: Search, state: State, mage: str, sheet: Sheet, mixes: Mapping[str, Sequence[Mapping[str, Any]]]
) -> float:
    others = [name for name in state.owing if name != mage]
    player = list(state.wizards).index(mage)
    options = [mixes[name] or _play_only_move(search, state, name) for name in others]
    answers = sorted(product(*options), key=lambda each: -_share(each))[:MOST_ANSWERS]
    total = weight = 0.0
    for answer in answers:
        sheets = {name: Sheet.from_lines(move["orders"]) for name, move in zip(others, answer, strict=True)}
        after = play_turn(state, {**sheets, mage: sheet}, search.worth, search.dice)
        first = solve_position(search, after)
        chances = search.worth.chances(after) if first is None else (first, 1.0 - first)
        total += _share(answer) * chances[player]
        weight += _share(answer)
    return total / weight if weight else 0.0


def _play_only_move(search: Search, state: State, name: str) -> Sequence[Mapping[str, Any]]:
    """Return the mix of a mage who chooses no gestures, because of Amnesia for example: an analysis names none."""
    return [{"orders": search.finder.find(state, name, 1)[0].sheet.lines(), "share": 1.0}]


def _share(answer: Sequence[Mapping[str, Any]]) -> float:
    return math.prod(float(move["share"]) for move in answer)


__all__ = ["find_least_kept", "grade_orders"]
