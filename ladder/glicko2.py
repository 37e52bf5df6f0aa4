"""Glicko-2 as pure arithmetic: rating, deviation and volatility.

Source: Mark Glickman, "Example of the Glicko-2 system" (2013); the steps are numbered as there. The rating period is
one day. Within a day a rating is computed from the state at the start of the day and all of the day's results, so the
rating after the last battle of a day is exactly that of the method, whatever the order of the battles.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
CENTRE = 1500.0
MOST_DEVIATION = 350.0
# How much the volatility may change. The value of Glickman's example; the paper recommends 0.3 to 1.2.
TAU = 0.5
CLOSE_ENOUGH = 1e-6


@dataclass(frozen=True)
class Skill:
    """Rating and deviation on Glicko's scale (1500 is the middle, a deviation of 350 means unknown), and volatility."""

    rating: float
    deviation: float
    volatility: float


@dataclass(frozen=True)
class Encounter:
    """One result of a day: the opponent at the start of the day, and 1 for a win, 0.5 for a draw, 0 for a loss."""

    rating: float
    deviation: float
    score: float


START = Skill(CENTRE, MOST_DEVIATION, 0.06)


def rest(skill: Skill, days: int) -> Skill:
    """Return `skill` after this many whole days without a battle: the same rating, but less certain (step 6 alone)."""
    if days <= 0:
        return skill
    phi = math.sqrt((skill.deviation / SCALE) ** 2 + days * skill.volatility**2)
    return Skill(skill.rating, min(phi * SCALE, MOST_DEVIATION), skill.volatility)


def rate_day(skill: Skill, results: Sequence[Encounter]) -> Skill:
    """Return the new skill from `skill` at the start of the day and the day's results (at least one)."""
    mu, phi = (skill.rating - CENTRE) / SCALE, skill.deviation / SCALE  # step 2
    information, gain = 0.0, 0.0
    for each in results:
        weight = _weigh(each.deviation / SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (each.rating - CENTRE) / SCALE)))
        information += weight**2 * expected * (1 - expected)  # step 3
        gain += weight * (each.score - expected)
    variance = 1 / information
    volatility = _find_volatility(phi, skill.volatility, variance=variance, improvement=variance * gain)  # steps 4, 5
    phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + information)  # steps 6, 7
    deviation = min(phi * SCALE, MOST_DEVIATION)
    return Skill(CENTRE + SCALE * (mu + phi**2 * gain), deviation, volatility)  # step 8


def _weigh(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _find_volatility(phi: float, volatility: float, *, variance: float, improvement: float) -> float:
    """Return the new volatility (step 5), by the Illinois variant of false position."""
    start = math.log(volatility**2)

    def slope(x: float) -> float:
        power = math.exp(x)
        total = phi**2 + variance + power
        return power * (improvement**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low = start
    if improvement**2 > phi**2 + variance:
        high = math.log(improvement**2 - phi**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > CLOSE_ENOUGH:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
