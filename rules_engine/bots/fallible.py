"""Reckons with opponents who make mistakes.

The mix that solves a turn loses nothing to any answer, but it also gains little from a bad one. So a bot solves the
turn for an opponent who knows its mix in most turns, and in the others plays by rules of thumb or looks only one turn
ahead (a restricted Nash response).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules_engine.bots.mixed_strategies import solve
from rules_engine.bots.moves import Move
from rules_engine.bots.search import Mix, SearchResult
from rules_engine.state import State

ANYHOW: Final = 0.3
"""Which part of the moves by rules of thumb may be any of the likely ones."""


@dataclass(frozen=True, slots=True)
class Mistakes:
    """In which part of the turns a bot expects the other mage of a duel to play by rules of thumb, and in which part
    to look only one turn ahead."""

    careless: float = 0.0
    short_sighted: float = 0.0


NO_MISTAKES: Final = Mistakes()


def expect_mistakes(
    state: State, mage: str, result: SearchResult, mistakes: Mistakes, glance: SearchResult | None = None
) -> SearchResult:
    """Return a duel's search with the mage's mix against an opponent who makes these mistakes; of a melee, the search
    itself. `glance` is a search of the same turn that looks one turn ahead.

    The other mix says what the mage expects; the value stays that against an opponent who never errs.
    """
    if mistakes == NO_MISTAKES or len(result.names) != 2:
        return result
    me = result.place(mage)
    player, foe = list(state.wizards).index(mage), 1 - me
    mine, theirs = result.moves[me], result.moves[foe]
    at_a_glance = _look_up(theirs, glance, foe) if glance else [0.0] * len(theirs)
    wrong = [
        mistakes.careless * one + mistakes.short_sighted * other
        for one, other in zip(_guess(theirs), at_a_glance, strict=True)
    ]
    right = 1.0 - sum(wrong)
    gains = [
        [result.table[(row, column) if me == 0 else (column, row)][player] for column in range(len(theirs))]
        for row in range(len(mine))
    ]
    often = [sum([share * gain for share, gain in zip(wrong, row, strict=True)]) for row in gains]
    expected = [[right * gain + more for gain in row] for row, more in zip(gains, often, strict=True)]
    mix, knowing, _ = solve(expected)
    other = [right * each + share for each, share in zip(knowing, wrong, strict=True)]
    return replace(result, mixes=(mix, other) if me == 0 else (other, mix))


def _guess(moves: Sequence[Move]) -> Mix:
    """Return how often a mage who plays by rules of thumb plays each of these moves."""
    best = max([move.worth for move in moves])
    shares = [math.exp(move.worth - best) for move in moves]
    total = sum(shares)
    return [(1.0 - ANYHOW) * share / total + ANYHOW / len(moves) for share in shares]


def _look_up(moves: Sequence[Move], glance: SearchResult, place: int) -> Mix:
    """Return how often the mage at this place plays each of these moves in another search; moves that only that one
    knows are left out."""
    shares = {move.sheet: share for move, share in zip(glance.moves[place], glance.mixes[place], strict=True)}
    return [shares.get(move.sheet, 0.0) for move in moves]


__all__ = ["NO_MISTAKES", "Mistakes", "expect_mistakes"]
