"""Looks one turn further where that is decisive: in positions that this turn's moves lead to, and in which a mage may
die.

An evaluation by weights knows little of a kill that nothing stops. So the outcomes that both mages' mixes lead to
are replaced by solutions of the next turn, and the mixes solved again, until they lead only to outcomes that were
looked at.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules_engine.bots import prior
from rules_engine.bots.aims import completable
from rules_engine.bots.deadly_turns import HARM, RAISE, harm_by_raising
from rules_engine.bots.mixed_strategies import solve_some
from rules_engine.bots.moves import COLUMNS, Move
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.search import Search, SearchResult
from rules_engine.state import State

AT_ONCE: Final = 8
SELDOM: Final = 0.002
"""Outcomes that are less likely are not looked at."""
OFTEN: Final = 0.15
"""Where a mage may die in the next turn, the search begins again with moves played so often."""

STABBED: Final = 1


@dataclass(frozen=True, slots=True)
class Depth:
    """How far an analysis looks: how many outcomes of a turn, and how many where a mage may die in the next one."""

    name: str
    outcomes: int
    replies: int


DEPTHS: Final = {depth.name: depth for depth in (Depth("Magus", 48, 240), Depth("Archmage", 200, 1300))}


def look_further(search: Search, state: State, result: SearchResult, depth: Depth) -> SearchResult:
    """Return a duel's search with the outcomes that matter solved one turn further; of a melee, the search itself."""
    if len(result.names) != 2 or len(state.wizards) != 2:
        return result
    seen: dict[tuple[int, ...], float] = {}
    deadly = False
    waiting = _list_likely(result, seen)
    while waiting and len(seen) < depth.outcomes:
        table = dict(result.table)
        for cell in waiting:
            chance = _solve_next(search, state, result, cell)
            deadly = deadly or chance is not None
            seen[cell] = table[cell][0] if chance is None else chance
            table[cell] = [seen[cell], 1.0 - seen[cell]]
        result = search.solve_again(state, replace(result, table=table))
        waiting = _list_likely(result, seen)
    return _look_everywhere(search, state, result, seen, depth) if deadly else result


def _look_everywhere(
    search: Search, state: State, result: SearchResult, seen: dict[tuple[int, ...], float], depth: Depth
) -> SearchResult:
    """Return the search with every move solved one turn further against the other mage's mix.

    Where a mage may die in the next turn, a move that prepares what decides it can look like the worst.
    """

    def gain(row: int, column: int) -> float:
        cell = (row, column)
        if cell not in seen:
            chance = _solve_next(search, state, result, cell)
            seen[cell] = result.table[cell][0] if chance is None else chance
        return seen[cell]

    rows, columns = ([move for move, share in enumerate(mix) if share >= OFTEN] for mix in result.mixes)
    height, width = (len(moves) for moves in result.moves)
    mine, theirs, value = solve_some(height, width, gain, begin=(rows or [0], columns or [0]), most=depth.replies)
    table = {**result.table, **{cell: [chance, 1.0 - chance] for cell, chance in seen.items()}}
    return replace(result, mixes=(mine, theirs), table=table, value=value)


def _list_likely(result: SearchResult, seen: Container[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the likeliest outcomes that were not looked at: of both mixes, and of each one's best moves against the
    other's mix."""
    weights = [_with_best(result, place) for place in (0, 1)]
    likely = sorted(
        (-weights[0][row] * weights[1][column], row, column)
        for row in range(len(weights[0]))
        if weights[0][row] > 0.0
        for column in range(len(weights[1]))
        if (row, column) not in seen and weights[0][row] * weights[1][column] > SELDOM
    )
    return [(row, column) for _weight, row, column in likely[:AT_ONCE]]


def _with_best(result: SearchResult, place: int) -> Sequence[float]:
    """Return a mix with some weight on the moves that are best against the other's mix."""
    mix = list(result.mixes[place])
    gains = [0.0] * len(mix)
    others = result.mixes[1 - place]
    for cell, chances in result.table.items():
        gains[cell[place]] += others[cell[1 - place]] * chances[place]
    best = sorted(range(len(mix)), key=lambda move: -gains[move])[:3]
    for move in best:
        mix[move] = max(mix[move], 0.1)
    return mix


def _solve_next(search: Search, state: State, result: SearchResult, cell: tuple[int, ...]) -> float | None:
    """Return the first mage's chance after these moves, by the outcomes of the next turn; None if nobody can die in
    it."""
    sheets = {name: result.moves[place][cell[place]].sheet for place, name in enumerate(result.names)}
    return solve_position(search, play_turn(state, sheets, search.worth, search.dice))


def solve_position(search: Search, after: State) -> float | None:
    """Return the first mage's chance in a duel, by the outcomes of the next turn; None if nobody can die in it."""
    names = after.owing
    if after.outcome is not None or len(names) != 2 or len(after.wizards) != 2 or not _may_end(after):
        return None
    moves = [_list_moves(search, after, name) for name in names]
    deadly = False

    def gain(row: int, column: int) -> float:
        nonlocal deadly
        both = {names[0]: moves[0][row].sheet, names[1]: moves[1][column].sheet}
        end = play_turn(after, both, search.worth, search.dice)
        deadly = deadly or end.outcome is not None
        return search.worth.chances(end)[0]

    _, _, value = solve_some(len(moves[0]), len(moves[1]), gain)
    return value if deadly else None


def _may_end(state: State) -> bool:
    """Return whether the next turn may end the battle: whether one of the mages would die of all harm that both and the
    creatures can do, or may be made to surrender."""
    wizards = list(state.wizards.values())
    harm = sum([monster.strength for monster in state.monsters.values()])
    for wizard in wizards:
        marks = wizard.marks
        if wizard.again is not None or wizard.bank is not None or not prior.HELD.isdisjoint(marks):
            return True
        if marks.get("sick") == 1 or marks.get("poisoned") == 1:
            return True
        spells = completable(wizard)
        harm += sum(sorted([HARM.get(spell, STABBED) for spell in spells] or [STABBED])[-2:]) + STABBED
        harm += harm_by_raising(state) if RAISE in spells else 0
    return min([wizard.hp for wizard in wizards]) <= harm


def _list_moves(search: Search, state: State, name: str) -> list[Move]:
    """Return every column, and every choice of spells, the likeliest first."""
    found = search.finder.find(state, name, len(COLUMNS))
    return found + search.finder.choose_otherwise(state, name, found)


__all__ = ["DEPTHS", "Depth", "look_further", "solve_position"]
