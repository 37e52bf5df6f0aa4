"""Judges a move by what its mage could see, where the position hid something from them.

An analysis knows everything; a mage who is blind, or faces an invisible one, had to guess. Their move is judged against
several positions that look to them exactly like the real one.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine.bots.chance import Chance
from rules_engine.bots.imagine import hides_something, imagine
from rules_engine.bots.moves import COLUMNS, Move, Moves
from rules_engine.bots.search import MOST_CELLS, ROOT_MOVES, Search
from rules_engine.bots.seen import Seen, see
from rules_engine.orders import Sheet
from rules_engine.state import State

WORLDS = 3


@dataclass(frozen=True, slots=True)
class Guessed:
    """A mage's moves in a position that they did not see whole: the mean chances over the positions it may have been.

    `chances` has each move's, `mix` that of playing the mix of the search.
    """

    moves: tuple[Move, ...]
    chances: tuple[float, ...]
    mix: float


def guess_chances(state: State, mage: str, played: Sheet, *, moves: Moves, seed: object) -> Guessed | None:
    """Return the chances of the mage's moves, by what they could see; None if nothing was hidden from them.

    Positions that look alike to the mage give the same numbers.
    """
    seen = see(state, mage)
    if not hides_something(seen):
        return None
    worlds = [_imagine(seen, moves, seed, world) for world in range(WORLDS)]
    mine = moves.find(worlds[0], mage, len(COLUMNS))
    if all(move.sheet != played for move in mine):
        mine = [*mine, Move(played, 0.0)]
    totals, mixed = [0.0] * len(mine), 0.0
    for world, imagined in enumerate(worlds):
        search = Search(moves, Chance(seed, "hindsight", seen.facts["seq"], mage, world))
        names = imagined.owing
        few = _count_foes_moves(len(names), len(mine))
        options = tuple(mine if name == mage else moves.find(imagined, name, few) for name in names)
        result = search.weigh(imagined, mage, names, options)
        me, player = result.place(mage), list(imagined.wizards).index(mage)
        mixed += result.expect()[player]
        totals = [total + result.chance_of(me, place, player) for place, total in enumerate(totals)]
    return Guessed(tuple(mine), tuple(total / WORLDS for total in totals), mixed / WORLDS)


def _imagine(seen: Seen, moves: Moves, seed: object, world: int) -> State:
    return imagine(seen, moves.worth, Chance(seed, "hindsight of", seen.facts["seq"], seen.mage, world))


def _count_foes_moves(mages: int, mine: int) -> int:
    """Return how many moves each other mage has: fewer in a melee."""
    most = ROOT_MOVES
    while mages > 2 and most > 1 and mine * most ** (mages - 1) > 2 * MOST_CELLS:
        most -= 1
    return most


__all__ = ["Guessed", "guess_chances"]
