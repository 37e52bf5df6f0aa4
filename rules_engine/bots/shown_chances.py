"""Chances to win as people are shown them: fitted to how often mages in such positions have won.

Play needs only to know which position is better. A chance that is shown says how often. Between two mages, a small
lead decides more battles than the evaluation says, and a large one fewer: so a lead counts by its square root. Battles
in which three or more mages are left have a slope of their own, and some battles take another turn from any position.
`python -m rules_engine.bots reliability` fits the slopes and prints how reliable the chances are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import log, sqrt
from typing import Final

from rules_engine.bots.worth import Worth
from rules_engine.state import State

SLOPE: Final = 1.9
"""While two mages are left, a lead is shown as so many times its square root, both in log-odds."""
EVEN: Final = 0.05
"""Added to a lead before its root is taken, so that the smallest leads are not blown up."""
OF_MANY: Final = 0.53
"""The slope while three or more mages are left; their leads count as they are."""
UPSETS: Final = 0.02
"""How many battles are as open as at their start, whatever the position says: a mage errs, or all die."""
SURE: Final = 1e-6
"""A chance that lies so close to 0 or 1 is one: what differs are the last digits of a sum."""


class ShownWorth(Worth):
    """The evaluation of a ruleset by which chances are shown."""

    __slots__ = ("_slopes",)

    def __init__(self, ruleset: str, slope: float = SLOPE, of_many: float = OF_MANY) -> None:
        super().__init__(ruleset)
        self._slopes = slope, of_many

    def chances(self, state: State) -> list[float]:
        """Return every mage's chance to win as it is shown, in their order; zero for mages who are out."""
        return show_chances(super().chances(state), *self._slopes)


@cache
def shown_worth(ruleset: str) -> ShownWorth:
    """Return the evaluation of a ruleset by which chances are shown."""
    return ShownWorth(ruleset)


def show_chances(chances: Sequence[float], slope: float = SLOPE, of_many: float = OF_MANY) -> list[float]:
    """Return chances in play, which add up to 1, as they are shown. What is decided stays so.

    `slope` is used while two mages are left, `of_many` while three or more are.
    """
    left = [chance for chance in chances if chance > 0.0]
    most, exponent = max(left), of_many
    if len(left) == 2:
        lead = log(most / min(left))
        # The lead times this is slope * (sqrt(lead + EVEN) - sqrt(EVEN)).
        exponent = slope / (sqrt(lead + EVEN) + sqrt(EVEN))
    odds = [(chance / most) ** exponent if chance > 0.0 else 0.0 for chance in chances]
    total, level = sum(odds), UPSETS / len(left)
    return [level + (1.0 - UPSETS) * each / total if each else 0.0 for each in odds]


def show_chance(chances: Sequence[float], place: int) -> float:
    """Return the chance of the mage at this place among all chances in play as it is shown."""
    if not SURE < chances[place] < 1.0 - SURE:
        return float(round(chances[place]))
    return show_chances([chance if chance > SURE else 0.0 for chance in chances])[place]


__all__ = ["EVEN", "OF_MANY", "SLOPE", "UPSETS", "ShownWorth", "show_chance", "show_chances", "shown_worth"]
