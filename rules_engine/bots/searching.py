"""Searches the outcomes of both sides' likely moves, and solves every position for mixed strategies.

All mages give orders at once, so at each node every mage has a mix of moves, found by regret matching. The
Magus looks one turn ahead; the Archmage grows a tree. The result does not depend on the clock.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rules_engine.bots.chance import Chance, SearchDice
from rules_engine.bots.moves import COLUMNS, Move, Moves
from rules_engine.bots.playing import play_turn
from rules_engine.bots.solving import match_regrets, solve
from rules_engine.state import State

ROOT_MOVES, INNER_MOVES, INNER_MOVES_OF_MANY = 10, 7, 3
MOST_CELLS = 200
"""How many outcomes of one turn a search evaluates in a melee."""
SAMPLED_ROUNDS = 600
EXPLORING = 0.12
"""How often the tree tries a move outside its mix."""
TRUST = 0.5
"""How much regret the moves of a new position share, so that its first visits try the likeliest; in duels only."""

Mix = list[float]


@dataclass(slots=True)
class Found:
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


class Node:
    """A position of the tree. `total` and `visits` add up the chances from the visits to it: in a duel each counts
    what was known afterwards of the position that it went on to.

    `children` has the positions after the moves of all, by one number: the sum of each move's index times its stride.
    """

    __slots__ = (
        "chances",
        "children",
        "moves",
        "names",
        "players",
        "regrets",
        "state",
        "strides",
        "sums",
        "total",
        "visits",
    )

    def __init__(self, state: State, chances: Sequence[float]) -> None:
        self.state = state
        self.chances = chances
        self.total: list[float] = list(chances)
        self.visits = 1
        self.names: tuple[str, ...] = ()
        self.players: list[int] = []
        self.moves: tuple[list[Move], ...] = ()
        self.regrets: list[Mix] = []
        self.sums: list[Mix] = []
        self.strides: list[int] = []
        self.children: dict[int, Node] = {}

    def mean(self, player: int) -> float:
        """This player's average chance."""
        return self.total[player] / self.visits


class Search:
    """A search in one ruleset, with its moves and evaluation."""

    def __init__(self, moves: Moves, chance: Chance) -> None:
        self.finder = moves
        self.worth = moves.worth
        self.chance = chance
        self.dice = SearchDice(chance)

    # -- one turn ahead -----------------------------------------------------------------------------------------------

    def look_ahead(self, state: State, mage: str) -> Found:
        """Solve the outcomes of the likely moves of one turn for every mage's mix."""
        return self.weigh(state, mage, *self._likely_moves(state, mage))

    def weigh(self, state: State, mage: str, names: tuple[str, ...], moves: tuple[list[Move], ...]) -> Found:
        """Solve every outcome of these moves."""
        table = {cell: self._play(state, names, moves, cell) for cell in _cells(moves)}
        return self._solve(state, mage, names, moves, table)

    def solve_again(self, state: State, found: Found) -> Found:
        """Return everyone's mixes, given other chances in the table."""
        return self._solve(state, found.names[0], found.names, found.moves, found.table)

    def _solve(
        self,
        state: State,
        mage: str,
        names: tuple[str, ...],
        moves: tuple[list[Move], ...],
        table: Mapping[tuple[int, ...], Sequence[float]],
    ) -> Found:
        """Return everyone's mixes, given the chances after all these moves."""
        index = {name: place for place, name in enumerate(state.wizards)}
        me = names.index(mage)
        if len(names) == 1:
            values = [table[(i,)][index[mage]] for i in range(len(moves[0]))]
            best = values.index(max(values))
            return Found(names, moves, ([1.0 if i == best else 0.0 for i in range(len(values))],), table, max(values))
        if len(names) == 2:
            mine, theirs = len(moves[me]), len(moves[1 - me])

            def cell_of(i: int, j: int) -> tuple[int, ...]:
                return (i, j) if me == 0 else (j, i)

            matrix = [[table[cell_of(i, j)][index[mage]] for j in range(theirs)] for i in range(mine)]
            rows, columns, value = solve(matrix)
            return Found(names, moves, (rows, columns) if me == 0 else (columns, rows), table, value)
        mixes = self._solve_for_many(names, moves, table, index)
        value = sum(
            math.prod(mix[a] for mix, a in zip(mixes, cell, strict=True)) * chances[index[mage]]
            for cell, chances in table.items()
        )
        return Found(names, moves, mixes, table, value)

    def may_live(self, state: State, mage: str) -> bool:
        """Return whether some column may let the mage survive this turn: if the others play their likeliest, if one of
        them plays anything else, or if all of them do."""
        names = state.owing
        place, me = list(state.wizards).index(mage), names.index(mage)
        moves = tuple(self.finder.find(state, name, len(COLUMNS)) for name in names)
        usual = [0] * len(names)
        answers = [usual]
        for other, options in enumerate(moves):
            if other != me:
                answers += [[*usual[:other], option, *usual[other + 1 :]] for option in range(1, len(options))]
        if len(names) > 2:  # two may each be about to kill the mage, and both may do something else
            answers += [[option % len(each) for each in moves] for option in range(1, len(COLUMNS))]
        return any(
            self._play(state, names, moves, [*answer[:me], mine, *answer[me + 1 :]])[place] > 0.0
            for mine in range(len(moves[me]))
            for answer in answers
        )

    def _likely_moves(self, state: State, mage: str) -> tuple[tuple[str, ...], tuple[list[Move], ...]]:
        """Return the mages who move, and their likely moves: the more foes there are, the fewer moves each has."""
        names = state.owing
        foes = len(names) - (mage in names)
        each = ROOT_MOVES
        while foes > 1 and each > 2 and ROOT_MOVES * each**foes > MOST_CELLS:
            each -= 1
        moves = tuple(self.finder.find(state, name, ROOT_MOVES if name == mage else each) for name in names)
        return names, moves

    def _play(
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

    # -- a tree -------------------------------------------------------------------------------------------------------

    def grow(self, state: State, mage: str, iterations: int) -> Found:
        """Grow a tree for this many iterations; in a duel, start with every outcome of this turn's likely moves."""
        # Nothing in a tree refers back, so there is no garbage to find, and looking for it takes a third of the time.
        collects = gc.isenabled()
        gc.disable()
        try:
            return self._grow(state, mage, iterations)
        finally:
            if collects:
                gc.enable()

    def _grow(self, state: State, mage: str, iterations: int) -> Found:
        root = Node(state, self.worth.chances(state))
        names, moves = self._likely_moves(state, mage)
        self._open(root, names, moves)
        root.regrets = [[0.0] * len(each) for each in moves]
        if len(names) < 3:
            for cell in _cells(moves):
                self._add_child(root, cell, _number(root.strides, cell))
        for _ in range(iterations - len(root.children)):
            self._iterate(root)
        index = {name: place for place, name in enumerate(state.wizards)}
        table = {
            _cell(root.strides, number): [child.mean(player) for player in range(len(state.wizards))]
            for number, child in root.children.items()
        }
        if len(names) < 3:
            return self._solve(state, mage, names, moves, table)
        mixes = tuple(_normalise(each) for each in root.sums)
        return Found(names, moves, mixes, table, root.mean(index[mage]))

    def _add_child(self, node: Node, cell: Sequence[int], number: int) -> Node:
        after = play_turn(
            node.state,
            {name: node.moves[place][cell[place]].sheet for place, name in enumerate(node.names)},
            self.worth,
            self.dice,
        )
        child = node.children[number] = Node(after, self.worth.chances(after))
        return child

    def _open(self, node: Node, names: tuple[str, ...], moves: tuple[list[Move], ...]) -> None:
        node.names, node.moves = names, moves
        order = list(node.state.wizards)
        node.players = [order.index(name) for name in names]
        node.regrets = [_trust(each) if len(names) < 3 else [0.0] * len(each) for each in moves]
        node.sums = [[0.0] * len(each) for each in moves]
        stride = 1
        for each in moves:
            node.strides.append(stride)
            stride *= len(each)

    def _iterate(self, node: Node) -> Sequence[float]:
        """Go down the tree and back once; return everyone's chances."""
        if node.state.outcome is not None:
            return node.chances
        if not node.moves:
            names = node.state.owing
            most = INNER_MOVES if len(names) < 3 else INNER_MOVES_OF_MANY
            self._open(node, names, tuple(self.finder.find(node.state, name, most) for name in names))
        mixes = [match_regrets(regrets) for regrets in node.regrets]
        chance = self.chance
        cell = [int(chance.random() * len(mix)) if chance.random() < EXPLORING else chance.draw(mix) for mix in mixes]
        number = _number(node.strides, cell)
        child = node.children.get(number)
        if child is None:
            child = self._add_child(node, cell, number)
            got: Sequence[float] = child.chances
        else:
            got = self._iterate(child)
            child.visits += 1
            total = child.total
            for player, value in enumerate(got):
                total[player] += value
            if len(node.names) < 3:
                visits = child.visits
                got = [value / visits for value in total]
        self._learn(node, cell, number, child, mixes)
        return got

    def _learn(self, node: Node, cell: list[int], number: int, child: Node, mixes: list[Mix]) -> None:
        """Add regrets for moves that would have been better, if their outcomes are known."""
        children = node.children
        total, visits = child.total, child.visits
        for place, player in enumerate(node.players):
            mix, sums = mixes[place], node.sums[place]
            if len(mix) == 1:
                sums[0] += 1.0
                continue
            got = total[player] / visits
            regrets = node.regrets[place]
            made, stride = cell[place], node.strides[place]
            first = number - made * stride
            for option, weight in enumerate(mix):
                sums[option] += weight
                if option != made:
                    other = children.get(first + option * stride)
                    if other is not None:
                        regret = regrets[option] + other.total[player] / other.visits - got
                        regrets[option] = regret if regret > 0.0 else 0.0


def _cells(moves: Sequence[list[Move]]) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(each)) for each in moves))


def _number(strides: Sequence[int], cell: Sequence[int]) -> int:
    """Return the number of a cell."""
    number = 0
    for place, option in enumerate(cell):
        number += option * strides[place]
    return number


def _cell(strides: Sequence[int], number: int) -> tuple[int, ...]:
    """Return the cell with this number."""
    cell = []
    for stride in reversed(strides):
        cell.append(number // stride)
        number %= stride
    return tuple(reversed(cell))


def _trust(moves: Sequence[Move]) -> Mix:
    """Return the regrets of moves that were not tried: more for those with more worth."""
    best = max([move.worth for move in moves])
    shares = [math.exp(move.worth - best) for move in moves]
    total = sum(shares)
    return [TRUST * share / total for share in shares]


def _normalise(sums: Sequence[float]) -> Mix:
    total = sum(sums)
    return [value / total for value in sums] if total else [1.0 / len(sums)] * len(sums)
