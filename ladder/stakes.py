"""What a battle may be fought for, as plain facts: the classic ladder, RavenBlack's kinds of games, and the band rule.

The band rule is stated once, here: points are withheld from a winner whose score, as the battle began, was BAND or more
above the average of all its mages, rounded down. Nobody is punished by it, and losers lose what they always lose.
"""

from collections.abc import Collection
from dataclasses import dataclass

BAND = 5


@dataclass(frozen=True)
class Stake:
    """One thing a battle may be fought for.

    `word` names it in orders and terms, `title` on pages, `words` say it in one sentence. `scores`: points are won and
    lost, and the dead are dead. `counts`: the battle stands in records and ratings. `in_band`: only mages whose scores
    are at most BAND apart meet. `withholds`: the band rule holds.
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
        Stake(LADDER, "ladder", "Scores are at stake: winners gain points, a surrender costs one, the dead are dead."),
        Stake(
            "band", f"ladder within {BAND} points",
            f"Scores are at stake, and only mages whose scores are at most {BAND} points apart meet.", in_band=True,
        ),
        Stake(
            "no-gain", "ladder, no gain from far above",
            f"Scores are at stake, but a winner who starts {BAND} or more points above the average of all mages gains "
            "nothing.",
            withholds=True,
        ),
        Stake(
            FRIENDLY, "friendly", "No score changes, nobody dies for good; the battle counts in records and ratings.",
            scores=False,
        ),
        Stake(
            "very-friendly", "very friendly", "No score changes, nobody dies for good; the battle counts nowhere.",
            scores=False, counts=False,
        ),
    )
}  # fmt: skip


def is_far_above(score: int, scores: Collection[int]) -> bool:
    """Say whether a mage of `score` stands too far above the `scores` of all mages, his own among them, to gain."""
    return score - sum(scores) // len(scores) >= BAND


def is_in_band(scores: Collection[int]) -> bool:
    """Say whether mages of these scores may meet where only near ones may."""
    return max(scores) - min(scores) <= BAND
