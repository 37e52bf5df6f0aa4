"""Looks one turn further where that is decisive: in positions that this turn's moves lead to, and in which a mage may
die.

An evaluation by weights knows little of a kill that nothing stops. So the outcomes that both mages' mixes lead to
are replaced by solutions of the next turn, and the mixes solved again, until they lead only to outcomes that were
looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules_engine.bots.moves import COLUMNS, Move
from rules_engine.bots.playing import play_turn
from rules_engine.bots.searching import Found, Search
from rules_engine.bots.solving import solve
from rules_engine.state import State

AT_ONCE: Final = 8
SELDOM: Final = 0.002
"""Outcomes that are less likely are not looked at."""
SCANS: Final = 2
"""How often every move is tried against the other mage's mix, where one may die in the next turn."""
OFTEN: Final = 0.15


@dataclass(frozen=True, slots=True)
class Depth:
    """How far an analysis looks: how many outcomes of a turn, with how many moves of each mage in the next one."""

    name: str
    outcomes: int
    moves: int


DEPTHS: Final = {depth.name: depth for depth in (Depth("Magus", 48, 14), Depth("Archmage", 200, 35))}


def look_further(search: Search, state: State, found: Found, depth: Depth) -> Found:
    """Return a duel's search with the outcomes that matter solved one turn further; of a melee, the search itself."""
    if len(found.names) != 2 or len(state.wizards) != 2:
        return found
    seen: set[tuple[int, ...]] = set()
    deadly = False
    for scan in range(SCANS + 1):
        # Where a mage may die in the next turn, a move that prepares what decides it can look like the worst.
        waiting = _list_replies(found, seen) if scan else _list_likely(found, seen)
        left = len(seen) + depth.outcomes
        while waiting and len(seen) < left:
            table = dict(found.table)
            for cell in waiting:
                seen.add(cell)
                chance = _solve_next(search, state, found, cell, depth.moves)
                if chance is not None:
                    deadly = True
                    table[cell] = [chance, 1.0 - chance]
            found = search.solve_again(state, replace(found, table=table))
            waiting = _list_likely(found, seen)
        if not deadly:
            break
    return found


def _list_replies(found: Found, seen: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return every move of each mage against what the other's mix plays often, if it was not looked at."""
    often = [[move for move, share in enumerate(mix) if share >= OFTEN] for mix in found.mixes]
    return [
        (row, column)
        for row, column in found.table
        if (row in often[0] or column in often[1]) and (row, column) not in seen
    ]


def _list_likely(found: Found, seen: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the likeliest outcomes that were not looked at: of both mixes, and of each one's best moves against the
    other's mix."""
    weights = [_with_best(found, place) for place in (0, 1)]
    likely = sorted(
        (-weights[0][row] * weights[1][column], row, column)
        for row in range(len(weights[0]))
        if weights[0][row] > 0.0
        for column in range(len(weights[1]))
        if (row, column) not in seen and weights[0][row] * weights[1][column] > SELDOM
    )
    return [(row, column) for _weight, row, column in likely[:AT_ONCE]]


def _with_best(found: Found, place: int) -> Sequence[float]:
    """Return a mix with some weight on the moves that are best against the other's mix."""
    mix = list(found.mixes[place])
    gains = [found.chance_of(place, move, place) for move in range(len(mix))]
    best = sorted(range(len(mix)), key=lambda move: -gains[move])[:3]
    for move in best:
        mix[move] = max(mix[move], 0.1)
    return mix


def _solve_next(search: Search, state: State, found: Found, cell: tuple[int, ...], most: int) -> float | None:
    """Return the first mage's chance after these moves, by the outcomes of the next turn; None if nobody can die in
    it."""
    sheets = {name: found.moves[place][cell[place]].sheet for place, name in enumerate(found.names)}
    after = play_turn(state, sheets, search.worth, search.dice)
    names = after.owing
    if after.outcome is not None or len(names) != 2:
        return None
    moves = [_list_moves(search, after, name, most) for name in names]
    deadly = False
    matrix: list[list[float]] = []
    for mine in moves[0]:
        row = []
        for theirs in moves[1]:
            end = play_turn(after, {names[0]: mine.sheet, names[1]: theirs.sheet}, search.worth, search.dice)
            deadly = deadly or end.outcome is not None
            row.append(search.worth.chances(end)[0])
        matrix.append(row)
    return solve(matrix)[2] if deadly else None


def _list_moves(search: Search, state: State, name: str, most: int) -> list[Move]:
    """Return the likeliest moves, and those that cast anything: a storm that kills both mages ranks last, but saves one
    who would die alone."""
    found = search.finder.find(state, name, len(COLUMNS))
    begun = state.wizards[name].begun
    return [
        move
        for place, move in enumerate(found)
        if place < most or (move.sheet.has_both and any(begun.lead_to(move.sheet.column).first.values()))
    ]


__all__ = ["DEPTHS", "Depth", "look_further"]
