"""The stakes of a battle as plain facts: the classic ladder, RavenBlack's kinds of games, and the band rule.

The band rule: a winner gains no points if their score at the start of the battle was BAND or more above the average of
all its mages, rounded down. The rule punishes nobody, and losers lose what they always lose.
"""

from collections.abc import Collection
from dataclasses import dataclass

BAND = 5


@dataclass(frozen=True)
class Stake:
    """One choice of stakes.

    `word` names it in orders and terms, `title` on pages, `words` explain it. `scores`: points are won and lost, and
    deaths are real. `counts`: the battle counts in records and ratings. `in_band`: only for mages whose scores are at
    most BAND apart. `withholds`: the band rule applies.
    """

    word: str
    title: str
    words: str
    scores: bool = True
    counts: bool = True
    in_band: bool = False
    withholds: bool = False


LADDER = "ladder"
FRIENDLY = "friendly"

STAKES = {
    each.word: each
    for each in (
        Stake(
            LADDER, "ladder", "Scores are at stake: winners gain points, surrendering costs one, and deaths are real."
        ),
        Stake(
            "band", f"ladder within {BAND} points",
            f"Scores are at stake. Only for mages whose scores are at most {BAND} points apart.",
            in_band=True,
        ),
        Stake(
            "no-gain", "ladder, no gain from far above",
            f"Scores are at stake, but a winner who starts {BAND} or more points above the average of all mages gains "
            "nothing.",
            withholds=True,
        ),
        Stake(
            FRIENDLY, "friendly",
            "Scores do not change and deaths are not real. The battle counts in records and ratings.",
            scores=False,
        ),
        Stake(
            "very-friendly", "very friendly",
            "Scores do not change and deaths are not real. The battle does not count in records or ratings.",
            scores=False, counts=False,
        ),
    )
}  # fmt: skip


def is_far_above(score: int, scores: Collection[int]) -> bool:
    """Say whether a mage's `score` is too far above the `scores` of all mages, its own included, to gain points."""
    return score - sum(scores) // len(scores) >= BAND


def is_in_band(scores: Collection[int]) -> bool:
    """Say whether these scores are close enough for a battle within the band."""
    return max(scores) - min(scores) <= BAND
