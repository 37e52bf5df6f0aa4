"""Chances to win as people are shown them: fitted to how often mages in such positions have won.

Play needs only to know which position is better. A chance that is shown says how often: by its ruleset's slope, a
difference in strength counts for more or less than in play, and some battles take another turn from any position.
Battles in which three or more mages are left have a slope of their own. `python -m rules_engine.bots reliability` fits
the slopes and prints how reliable the chances are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from rules_engine.bots.worth import Worth

SLOPES: Final[Mapping[str, float]] = {"firetop-standard": 1.66}
OTHERS: Final = 1.97
"""The slope of a ruleset without one."""
OF_MANY: Final = 0.64
"""The slope while three or more mages are left, in every ruleset."""
UPSETS: Final = 0.05
"""How many battles are as open as at their start, whatever the position says: a mage errs, or all die."""
SURE: Final = 1e-6
"""A chance that lies so close to 0 or 1 is one: what differs are the last digits of a sum."""


@cache
def shown_worth(ruleset: str) -> Worth:
    """Return the evaluation of a ruleset by which chances are shown."""
    return Worth(ruleset, slope=SLOPES.get(ruleset, OTHERS), slope_of_many=OF_MANY, upsets=UPSETS)


def steepen(chances: Sequence[float], slope: float) -> list[float]:
    """Return chances in play, which add up to 1, as they are shown with this slope. What is decided stays so."""
    odds = [chance**slope for chance in chances]
    total = sum(odds)
    level = UPSETS / sum([chance > 0.0 for chance in chances])
    return [level + (1.0 - UPSETS) * each / total if each else 0.0 for each in odds]


def show_chance(chance: float, ruleset: str) -> float:
    """Return a chance in play of one of two mages as it is shown."""
    if not SURE < chance < 1.0 - SURE:
        return float(round(chance))
    return steepen([chance, 1.0 - chance], SLOPES.get(ruleset, OTHERS))[0]


__all__ = ["OF_MANY", "OTHERS", "SLOPES", "UPSETS", "show_chance", "shown_worth", "steepen"]
