"""Grows a tree of positions, and solves each of them for mixed strategies by regret matching.

The result does not depend on the clock.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Sequence

from rules_engine.bots.mixed_strategies import match_regrets
from rules_engine.bots.moves import Move
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.search import Mix, Search, SearchResult, list_cells
from rules_engine.state import State

INNER_MOVES, INNER_MOVES_OF_MANY = 7, 3
EXPLORING = 0.12
"""How often the tree tries a move outside its mix."""
TRUST = 0.5
"""How much regret the moves of a new position share, so that its first visits try the likeliest; in duels only."""


def grow_tree(search: Search, state: State, mage: str, iterations: int) -> SearchResult:
    """Grow a tree for this many iterations; in a duel, start with every outcome of this turn's likely moves."""
    # Nothing in a tree refers back, so there is no garbage to find, and looking for it takes a third of the time.
    collects = gc.isenabled()
    gc.disable()
    try:
        return Tree(search).grow(state, mage, iterations)
    finally:
        if collects:
            gc.enable()


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
        return self.total[player] / self.visits


class Tree:
    """Grows positions by playing out mixes of moves, with the moves and the evaluation of a search."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.finder = search.finder
        self.worth = search.worth
        self.chance = search.chance
        self.dice = search.dice

    def grow(self, state: State, mage: str, iterations: int) -> SearchResult:
        """Return the result of this many iterations from `state` on."""
        root = Node(state, self.worth.chances(state))
        names, moves = self.search.likely_moves(state, mage)
        self._open(root, names, moves)
        root.regrets = [[0.0] * len(each) for each in moves]
        if len(names) < 3:
            for cell in list_cells(moves):
                self._add_child(root, cell, _number(root.strides, cell))
        for _ in range(iterations - len(root.children)):
            self._iterate(root)
        index = {name: place for place, name in enumerate(state.wizards)}
        table = {
            _cell(root.strides, number): [child.mean(player) for player in range(len(state.wizards))]
            for number, child in root.children.items()
        }
        if len(names) < 3:
            return self.search.solve_table(state, mage, names, moves, table)
        mixes = tuple(_normalise(each) for each in root.sums)
        return SearchResult(names, moves, mixes, table, root.mean(index[mage]))

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


def _number(strides: Sequence[int], cell: Sequence[int]) -> int:
    number = 0
    for place, option in enumerate(cell):
        number += option * strides[place]
    return number


def _cell(strides: Sequence[int], number: int) -> tuple[int, ...]:
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
