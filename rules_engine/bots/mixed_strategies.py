"""Mixed strategies by regret matching: how often to play each move against an opponent who knows the mix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul

ROUNDS = 80
NEARLY = 0.002
"""How close to the value a search of some moves must come, and the smallest share of a move that matters to it."""
MOST_GAINS = 10_000


def match_regrets(regrets: Sequence[float]) -> list[float]:
    """Return a mix in proportion to positive regrets; all moves equally if there are none."""
    total = 0.0
    for regret in regrets:
        if regret > 0.0:
            total += regret
    if total <= 0.0:
        return [1.0 / len(regrets)] * len(regrets)
    return [regret / total if regret > 0.0 else 0.0 for regret in regrets]


def solve(matrix: Sequence[Sequence[float]], rounds: int = ROUNDS) -> tuple[list[float], list[float], float]:
    """Return (row player's mix, column player's mix, value) of a zero-sum game. The matrix has the row player's gains.

    Alternating regret matching; regrets never fall below zero, and later rounds count more (CFR+).
    """
    if len(matrix) == len(matrix[0]) == 1:
        return [1.0], [1.0], matrix[0][0]
    turned = list(zip(*matrix, strict=True))
    row_regrets, column_regrets = [0.0] * len(matrix), [0.0] * len(turned)
    row_sum, column_sum = [0.0] * len(matrix), [0.0] * len(turned)
    theirs = match_regrets(column_regrets)
    for number in range(1, rounds + 1):
        values = [sum(map(mul, theirs, row)) for row in matrix]
        mine = match_regrets(row_regrets)
        value = sum(map(mul, mine, values))
        row_regrets = [max(regret + each - value, 0.0) for regret, each in zip(row_regrets, values, strict=True)]
        mine = match_regrets(row_regrets)
        row_sum = [total + number * share for total, share in zip(row_sum, mine, strict=True)]
        losses = [sum(map(mul, mine, column)) for column in turned]
        value = sum(map(mul, theirs, losses))
        column_regrets = [max(regret + value - loss, 0.0) for regret, loss in zip(column_regrets, losses, strict=True)]
        theirs = match_regrets(column_regrets)
        column_sum = [total + number * share for total, share in zip(column_sum, theirs, strict=True)]
    total = rounds * (rounds + 1) / 2
    mine, theirs = [each / total for each in row_sum], [each / total for each in column_sum]
    return mine, theirs, sum(share * sum(map(mul, theirs, row)) for share, row in zip(mine, matrix, strict=True))


def solve_some(
    rows: int,
    columns: int,
    gain: Callable[[int, int], float],
    *,
    begin: tuple[Sequence[int], Sequence[int]] = ((0,), (0,)),
    most: int = MOST_GAINS,
) -> tuple[list[float], list[float], float]:
    """Solve a game without knowing its whole matrix: `gain` is asked only for moves that matter, each pair once.

    Solves the game of a few moves of each side, those of `begin` first. While another move does better against those
    mixes, it is added (double oracle). Stops early when `most` gains are known.
    """
    known: dict[tuple[int, int], float] = {}

    def find(row: int, column: int) -> float:
        found = known.get((row, column))
        if found is None:
            found = known[row, column] = gain(row, column)
        return found

    kept, others = list(begin[0]), list(begin[1])
    while True:
        mine, theirs, value = solve([[find(row, column) for column in others] for row in kept])
        mix, other = _make_mix(rows, kept, mine), _make_mix(columns, others, theirs)
        if len(known) >= most:
            return mix, other, value
        gains = [sum([share * find(row, at) for at, share in enumerate(other) if share]) for row in range(rows)]
        losses = [sum([share * find(at, column) for at, share in enumerate(mix) if share]) for column in range(columns)]
        best, worst = gains.index(max(gains)), losses.index(min(losses))
        if gains[best] - losses[worst] < NEARLY or (best in kept and worst in others):
            return mix, other, value
        if best not in kept:
            kept.append(best)
        if worst not in others:
            others.append(worst)


def _make_mix(size: int, places: Sequence[int], shares: Sequence[float]) -> list[float]:
    """Return the mix of all moves, given the shares of some; the smallest shares do not count."""
    mix = [0.0] * size
    total = sum([share for share in shares if share > NEARLY])
    for place, share in zip(places, shares, strict=True):
        if share > NEARLY:
            mix[place] = share / total
    return mix
