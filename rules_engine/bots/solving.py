"""Mixed strategies by regret matching: how often to play each move against an opponent who knows the mix."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

ROUNDS = 80


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
    """(row player's mix, column player's mix, value) of a zero-sum game; the matrix holds the row player's gains.

    Alternating regret matching; regrets never fall below zero, and later rounds count more (CFR+).
    """
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
