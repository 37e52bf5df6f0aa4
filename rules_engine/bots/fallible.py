"""Reckons with opponents who make mistakes.

The mix that solves a turn loses nothing to any answer, but it also gains little from a bad one. So a bot solves the
turn for an opponent who knows its mix in most turns and plays by rules of thumb in the others (a restricted Nash
response).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rules_engine.bots.mixed_strategies import solve
from rules_engine.bots.moves import Move
from rules_engine.bots.search import Mix, SearchResult
from rules_engine.state import State

ANYHOW: Final = 0.3
"""Which part of the other mage's mistakes may be any of their likely moves."""


def expect_mistakes(state: State, mage: str, result: SearchResult, erring: float) -> SearchResult:
    """Return a duel's search with the mage's mix against an opponent who plays by rules of thumb in this part of the
    turns; of a melee, the search itself.

    The other mix says what the mage expects; the value stays that against an opponent who never errs.
    """
    if not erring or len(result.names) != 2:
        return result
    me = result.place(mage)
    player, foe = list(state.wizards).index(mage), 1 - me
    mine, theirs = result.moves[me], result.moves[foe]
    usual = _guess(theirs)
    gains = [
        [result.table[(row, column) if me == 0 else (column, row)][player] for column in range(len(theirs))]
        for row in range(len(mine))
    ]
    often = [erring * sum([share * gain for share, gain in zip(usual, row, strict=True)]) for row in gains]
    expected = [[(1.0 - erring) * gain + more for gain in row] for row, more in zip(gains, often, strict=True)]
    mix, knowing, _ = solve(expected)
    other = [(1.0 - erring) * each + erring * share for each, share in zip(knowing, usual, strict=True)]
    return replace(result, mixes=(mix, other) if me == 0 else (other, mix))


def _guess(moves: Sequence[Move]) -> Mix:
    """Return how often a mage who plays by rules of thumb plays each of these moves."""
    best = max([move.worth for move in moves])
    shares = [math.exp(move.worth - best) for move in moves]
    total = sum(shares)
    return [(1.0 - ANYHOW) * share / total + ANYHOW / len(moves) for share in shares]


__all__ = ["expect_mistakes"]
