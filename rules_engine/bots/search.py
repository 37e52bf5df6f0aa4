"""Searches the outcomes of all mages' likely moves of one turn, and solves the position for mixed strategies.

All mages give orders at once, so every mage has a mix of moves. The Magus looks one turn ahead like this; the Archmage
grows a tree (rules_engine.bots.tree). The result does not depend on the clock.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rules_engine.bots.chance import Chance, SearchDice
from rules_engine.bots.deadly_turns import add_decisive, list_palms, may_end
from rules_engine.bots.mixed_strategies import match_regrets, solve
from rules_engine.bots.moves import COLUMNS, Move, Moves
from rules_engine.bots.play_turn import play_turn
from rules_engine.state import State

ROOT_MOVES = 10
MOST_CELLS = 200
"""How many outcomes of one turn a search evaluates in a melee."""
SAMPLED_ROUNDS = 600

Mix = list[float]


@dataclass(slots=True)
class SearchResult:
    """The result of a search: how often to play each move, and the possible outcomes.

    `mixes` has every mage's mix in the order of `names`; `table` maps the moves of all (indexes into `moves`) to the
    chances of all after the turn, if they were evaluated. `value` is the searching mage's chance.
    """

    names: tuple[str, ...]
    moves: tuple[list[Move], ...]
    mixes: tuple[Mix, ...]
    table: Mapping[tuple[int, ...], Sequence[float]]
    value: float

    def place(self, name: str) -> int:
        """Return a mage's index in `names`."""
        return self.names.index(name)

    def chance_of(self, me: int, place: int, index: int) -> float:
        """Return the chance of the mage at `me` (`index` among all) with one move against the others' mixes."""
        total = weight = 0.0
        for cell, chances in self.table.items():
            if cell[me] == place:
                share = 1.0
                for other, option in enumerate(cell):
                    if other != me:
                        share *= self.mixes[other][option]
                total += share * chances[index]
                weight += share
        return total / weight if weight else 0.0

    def expect(self) -> list[float]:
        """Return everyone's chances if all play their mixes."""
        total, weight = [0.0] * len(next(iter(self.table.values()))), 0.0
        for cell, chances in self.table.items():
            share = math.prod(mix[option] for mix, option in zip(self.mixes, cell, strict=True))
            weight += share
            for player, chance in enumerate(chances):
                total[player] += share * chance
        return [value / weight for value in total] if weight else total


class Search:
    """Looks one turn ahead, with the moves and the evaluation of one ruleset."""

    def __init__(self, moves: Moves, chance: Chance) -> None:
        self.finder = moves
        self.worth = moves.worth
        self.chance = chance
        self.dice = SearchDice(chance)

    def look_ahead(self, state: State, mage: str) -> SearchResult:
        """Solve the outcomes of the likely moves of one turn for every mage's mix."""
        return self.weigh(state, mage, *self.likely_moves(state, mage))

    def weigh(self, state: State, mage: str, names: tuple[str, ...], moves: tuple[list[Move], ...]) -> SearchResult:
        """Solve every outcome of these moves."""
        table = {cell: self.play(state, names, moves, cell) for cell in list_cells(moves)}
        return self.solve_table(state, mage, names, moves, table)

    def solve_again(self, state: State, result: SearchResult) -> SearchResult:
        """Return everyone's mixes, given other chances in the table."""
        return self.solve_table(state, result.names[0], result.names, result.moves, result.table)

    def solve_table(
        self,
        state: State,
        mage: str,
        names: tuple[str, ...],
        moves: tuple[list[Move], ...],
        table: Mapping[tuple[int, ...], Sequence[float]],
    ) -> SearchResult:
        """Return everyone's mixes, given the chances after all these moves."""
        index = {name: place for place, name in enumerate(state.wizards)}
        me = names.index(mage)
        if len(names) == 1:
            values = [table[(i,)][index[mage]] for i in range(len(moves[0]))]
            best = values.index(max(values))
            return SearchResult(
                names, moves, ([1.0 if i == best else 0.0 for i in range(len(values))],), table, max(values)
            )
        if len(names) == 2:
            mine, theirs = len(moves[me]), len(moves[1 - me])

            def cell_of(i: int, j: int) -> tuple[int, ...]:
                return (i, j) if me == 0 else (j, i)

            matrix = [[table[cell_of(i, j)][index[mage]] for j in range(theirs)] for i in range(mine)]
            rows, columns, value = solve(matrix)
            return SearchResult(names, moves, (rows, columns) if me == 0 else (columns, rows), table, value)
        mixes = self._solve_for_many(names, moves, table, index)
        value = sum(
            math.prod(mix[a] for mix, a in zip(mixes, cell, strict=True)) * chances[index[mage]]
            for cell, chances in table.items()
        )
        return SearchResult(names, moves, mixes, table, value)

    def may_live(self, state: State, mage: str) -> bool:
        """Return whether some column may let the mage survive this turn: if the others play their likeliest, if one of
        them plays anything else, or if all of them do."""
        names = state.owing
        place, me = list(state.wizards).index(mage), names.index(mage)
        moves = tuple(self.finder.find(state, name, len(COLUMNS)) for name in names)
        if state.ruleset.rules.last_to_surrender_wins:
            moves[me].extend(list_palms(self.finder, state, mage))
        usual = [0] * len(names)
        answers = [usual]
        for other, options in enumerate(moves):
            if other != me:
                answers += [[*usual[:other], option, *usual[other + 1 :]] for option in range(1, len(options))]
        if len(names) > 2:  # two may each be about to kill the mage, and both may do something else
            answers += [[option % len(each) for each in moves] for option in range(1, len(COLUMNS))]
        return any(
            self.play(state, names, moves, [*answer[:me], mine, *answer[me + 1 :]])[place] > 0.0
            for mine in range(len(moves[me]))
            for answer in answers
        )

    def likely_moves(self, state: State, mage: str) -> tuple[tuple[str, ...], tuple[list[Move], ...]]:
        """Return the mages who move, and their likely moves: the more foes there are, the fewer moves each has.

        The last two have every choice of spells; and if one of them may die, also the moves that decide the turn.
        """
        names = state.owing
        foes = len(names) - (mage in names)
        each = ROOT_MOVES
        while foes > 1 and each > 2 and ROOT_MOVES * each**foes > MOST_CELLS:
            each -= 1
        moves = tuple(self.finder.find(state, name, ROOT_MOVES if name == mage else each) for name in names)
        if len(names) == 2 == len(state.still_in):
            moves = tuple(
                [*found, *self.finder.choose_otherwise(state, name, found)]
                for name, found in zip(names, moves, strict=True)
            )
        if may_end(state):
            moves = add_decisive(self.finder, state, names, moves, self.dice)
        return names, moves

    def play(
        self, state: State, names: Sequence[str], moves: Sequence[list[Move]], cell: Sequence[int]
    ) -> Sequence[float]:
        sheets = {name: moves[place][cell[place]].sheet for place, name in enumerate(names)}
        return self.worth.chances(play_turn(state, sheets, self.worth, self.dice))

    def _solve_for_many(
        self,
        names: Sequence[str],
        moves: Sequence[list[Move]],
        table: Mapping[tuple[int, ...], Sequence[float]],
        index: dict[str, int],
    ) -> tuple[Mix, ...]:
        regrets = [[0.0] * len(each) for each in moves]
        sums = [[0.0] * len(each) for each in moves]
        players = [index[name] for name in names]
        for _ in range(SAMPLED_ROUNDS):
            mixes = [match_regrets(each) for each in regrets]
            cell = tuple(self.chance.draw(mix) for mix in mixes)
            chances = table[cell]
            for place, mix in enumerate(mixes):
                player, mine, total = players[place], regrets[place], sums[place]
                got = chances[player]
                for option, weight in enumerate(mix):
                    other = (*cell[:place], option, *cell[place + 1 :])
                    mine[option] = max(mine[option] + table[other][player] - got, 0.0)
                    total[option] += weight
        return tuple([value / SAMPLED_ROUNDS for value in each] for each in sums)


def list_cells(moves: Sequence[list[Move]]) -> Iterator[tuple[int, ...]]:
    """Return every combination of moves, one of each mage, by their indexes."""
    return product(*(range(len(each)) for each in moves))
