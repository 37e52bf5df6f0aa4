"""Weighs the moves that a search left out, for hints.

A search solves a few moves of each mage. In a lost position it never plays a move that a watchful foe stops, and its
own moves may lose against everything: a person should hear of the one that the foe must see coming.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final

from rules_engine.bots.deadly_turns import list_every_move
from rules_engine.bots.moves import Move
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.search import Search, SearchResult, list_cells
from rules_engine.bots.sure_moves import play_every_roll
from rules_engine.orders import Sheet
from rules_engine.state import State

CLEARLY: Final = 0.03
"""A move that does so much better than those of the search is worth a hint."""
HOPELESS: Final = 0.02
"""Where the moves of the search do no better, mistakes of the others count, too, and a move need only be `A_LITTLE`
better."""
A_LITTLE: Final = 0.003
MISTAKES: Final = 0.1
"""Which part of the others' turns goes to any of their moves, in hopeless positions."""
SURE: Final = 0.97
SELDOM: Final = 0.002
MOST_ANSWERS: Final = 24
MOST_ADDED: Final = 3
MOST_TRIED_AGAIN: Final = 9
MOST_ROLLS: Final = 12

Answers = list[tuple[float, dict[str, Sheet]]]


def add_better(search: Search, state: State, mage: str, result: SearchResult) -> SearchResult:
    """Return a search with up to three more moves of this mage that do clearly better than all its own against what it
    expects of the others; the same one if there are none.

    The other mage of a duel then has the best answers to them, and the turn is solved again; but not in a hopeless
    position, where they may count on being overlooked.
    """
    me, index = result.place(mage), list(state.wizards).index(mage)
    best = max(list_hopes(result, me, index))
    if best >= SURE:
        return result
    known = {move.sheet for move in result.moves[me]}
    others = [move for move in list_every_move(search.finder, state, mage) if move.sheet not in known]
    answers = _list_answers(_allow_mistakes(result, me, index), me)

    def weigh(move: Move, rolls: int = 1) -> float:
        return sum(
            share * _play(search, state, {**sheets, mage: move.sheet}, rolls)[index] for share, sheets in answers
        )

    promising = [(chance, place) for place, move in enumerate(others) if _is_better(chance := weigh(move), best)]
    if not promising:
        return result
    best = max(weigh(move, MOST_ROLLS) for move in result.moves[me])
    tried = sorted(promising, key=lambda each: -each[0])[:MOST_TRIED_AGAIN]
    again = sorted([(weigh(others[place], MOST_ROLLS), place) for _, place in tried], key=lambda each: -each[0])
    added = [others[place] for chance, place in again if _is_better(chance, best)][:MOST_ADDED]
    return _add(search, state, me, result, added, solved=best >= HOPELESS) if added else result


def rank_moves(result: SearchResult, me: int, index: int) -> list[int]:
    """Return the places of a mage's moves, the best hint first: those that the mix plays, then the others by what they
    are worth; but after all others those that do clearly worse than the best."""
    hopes = list_hopes(result, me, index)
    best = max(hopes)
    return sorted(
        range(len(hopes)),
        key=lambda each: (
            _is_better(best, hopes[each]),
            -result.mixes[me][each],
            -hopes[each],
            -result.moves[me][each].worth,
        ),
    )


def list_hopes(result: SearchResult, me: int, index: int) -> list[float]:
    """Return the chances of a mage's moves against the others' mixes; in a hopeless position, with some mistakes."""
    softened = _allow_mistakes(result, me, index)
    return [softened.chance_of(me, place, index) for place in range(len(result.moves[me]))]


def _is_better(chance: float, best: float) -> bool:
    return chance > best + (A_LITTLE if best < HOPELESS else CLEARLY)


def _allow_mistakes(result: SearchResult, me: int, index: int) -> SearchResult:
    if max(result.chance_of(me, place, index) for place in range(len(result.moves[me]))) >= HOPELESS:
        return result
    mixes = tuple(
        mix if place == me else [share * (1.0 - MISTAKES) + MISTAKES / len(mix) for share in mix]
        for place, mix in enumerate(result.mixes)
    )
    return replace(result, mixes=mixes)


def _list_answers(result: SearchResult, me: int) -> Answers:
    """Return the likeliest moves of all the others together, with shares that add up to one."""
    likely = [
        [(share, name, move.sheet) for share, move in zip(mix, moves, strict=True) if share >= SELDOM]
        for place, (name, mix, moves) in enumerate(zip(result.names, result.mixes, result.moves, strict=True))
        if place != me
    ]
    cells = [
        (math.prod(share for share, _, _ in cell), {name: sheet for _, name, sheet in cell})
        for cell in product(*likely)
    ]
    cells = sorted(cells, key=lambda cell: -cell[0])[:MOST_ANSWERS]
    total = sum(share for share, _ in cells)
    return [(share / total, sheets) for share, sheets in cells]


def _play(search: Search, state: State, sheets: dict[str, Sheet], rolls: int) -> Sequence[float]:
    """Return everyone's chances after these orders; with several rolls, the mean over so many."""
    if rolls == 1:
        return search.worth.chances(play_turn(state, sheets, search.worth, search.dice))
    played = [search.worth.chances(after) for after in islice(play_every_roll(state, sheets, search.worth), rolls)]
    return [sum(chances) / len(played) for chances in zip(*played, strict=True)]


def _add(
    search: Search, state: State, me: int, result: SearchResult, added: Sequence[Move], *, solved: bool
) -> SearchResult:
    moves = list(result.moves)
    moves[me] = [*moves[me], *added]
    if solved and len(state.wizards) == len(result.names) == 2:
        moves[1 - me] = [*moves[1 - me], *_find_answers(search, state, me, result, added)]
    table = {
        cell: _play(
            search,
            state,
            {name: moves[place][cell[place]].sheet for place, name in enumerate(result.names)},
            MOST_ROLLS,
        )
        for cell in list_cells(moves)
    }
    if solved:
        return search.solve_table(state, result.names[me], result.names, tuple(moves), table)
    mixes = list(result.mixes)
    mixes[me] = [*mixes[me], *[0.0] * len(added)]
    return SearchResult(result.names, tuple(moves), tuple(mixes), table, result.value)


def _find_answers(search: Search, state: State, me: int, result: SearchResult, added: Sequence[Move]) -> list[Move]:
    """Return the other mage's best answer to each of these moves, where the search doesn't have it."""
    mage, other = result.names[me], result.names[1 - me]
    index = list(state.wizards).index(other)
    answers = list_every_move(search.finder, state, other)
    known = {move.sheet for move in result.moves[1 - me]}
    found: list[Move] = []
    for move in added:
        gains = [_play(search, state, {mage: move.sheet, other: answer.sheet}, 1)[index] for answer in answers]
        answer = answers[gains.index(max(gains))]
        if answer.sheet not in known:
            known.add(answer.sheet)
            found.append(answer)
    return found


__all__ = ["add_better", "list_hopes", "rank_moves"]
