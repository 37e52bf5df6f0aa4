"""Chances to win as people are shown them: fitted to how often mages in such positions have won.

Play needs only to know which position is better. A chance that is shown says how often: by its ruleset's slope, a
difference in strength counts for more or less than in play. Battles in which three or more mages are left have a slope
of their own. `python -m rules_engine.bots reliability` fits the slopes
and prints how reliable the chances are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from rules_engine.bots.worth import Worth

SLOPES: Final[Mapping[str, float]] = {"firetop-standard": 1.48}
OTHERS: Final = 1.56
"""The slope of a ruleset without one."""
OF_MANY: Final = 0.56
"""The slope while three or more mages are left, in every ruleset."""


@cache
def shown_worth(ruleset: str) -> Worth:
    """Return the evaluation of a ruleset by which chances are shown."""
    return Worth(ruleset, slope=SLOPES.get(ruleset, OTHERS), slope_of_many=OF_MANY)


def steepen(chances: Sequence[float], slope: float) -> list[float]:
    """Return chances to win that add up to 1 as they are with this slope, given those with a slope of 1."""
    odds = [chance**slope for chance in chances]
    total = sum(odds)
    return [each / total for each in odds]


def show_chance(chance: float, ruleset: str) -> float:
    """Return a chance in play of one of two mages as it is shown."""
    return steepen([chance, 1.0 - chance], SLOPES.get(ruleset, OTHERS))[0]


__all__ = ["OF_MANY", "OTHERS", "SLOPES", "show_chance", "shown_worth", "steepen"]
