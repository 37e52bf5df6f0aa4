"""The rule of used time, which settles a duel that is still undecided when its time is up in a league or an evening."""

from datetime import timedelta
from fractions import Fraction
from typing import Literal

# Someone who has used more than this share of the time that both have used loses.
MOST = Fraction(60, 100)


def settle_by_time(first: timedelta, second: timedelta) -> Literal["first", "second", "draw"]:
    """Return who wins the duel in the table, given the time that each of the two has used."""
    most = (first + second) * MOST.numerator / MOST.denominator
    if first > most:
        return "second"
    return "first" if second > most else "draw"
