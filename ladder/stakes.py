"""The stakes of a battle as plain facts: the classic ladder, RavenBlack's kinds of games, and the band rule.

The band rule: a winner gains no points if their score at the start of the battle was BAND or more above the average of
all its mages, rounded down. The rule punishes nobody, and losers lose what they always lose.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

BAND = 5


@dataclass(frozen=True)
class Stake:
    """One choice of stakes.

    `word` names it in orders and terms, `title` on pages, `words` explain it. `scores`: points are won and lost, and
    deaths are real. `counts`: the battle counts in records and ratings. `in_band`: only for mages whose scores are at
    most BAND apart. `withholds`: the band rule applies. `with_bots`: the battle counts only in the rating of battles
    with bots. `offered`: players can choose it. `engages`: a mage is in one such battle at a time. `draws`: players can
    agree on a draw. `is_event`: a duel of a league or cup, which ends by the rules of that.
    """

    word: str
    lazy_title: "StrOrPromise"
    lazy_words: "StrOrPromise"
    scores: bool = True
    counts: bool = True
    in_band: bool = False
    withholds: bool = False
    with_bots: bool = False
    offered: bool = True
    engages: bool = True
    draws: bool = True
    is_event: bool = False

    @property
    def is_rated(self) -> bool:
        """Whether the battle changes ratings, of whatever kind."""
        return self.counts or self.with_bots

    @property
    def title(self) -> str:
        return str(self.lazy_title)

    @property
    def words(self) -> str:
        return str(self.lazy_words)

    @property
    def risk(self) -> str:
        """The risk for a player, in one sentence."""
        if self.scores:
            return gettext(
                "You can lose your mage: if they die, even by missing a deadline, they are dead for good, and their "
                "score is lost."
            )
        if self.counts:
            return gettext("You can lose only rating points: no score changes, and a mage who dies lives on.")
        if self.with_bots:
            return gettext("Only your rating with bots changes. A mage who dies lives on.")
        return gettext("You have nothing to lose: the battle counts for nothing, and a mage who dies lives on.")


LADDER = "ladder"
FRIENDLY = "friendly"
VERY_FRIENDLY = "very-friendly"
BOTS = "bots"
LEAGUE = "league"
CUP = "cup"
EVENING = "evening"
ROUND_ROBIN = "round-robin"
STAKES = {
    each.word: each
    for each in (
        Stake(
            LADDER,
            pgettext_lazy("stakes", "ladder"),
            _("Scores are at stake: winners gain points, surrendering costs one, and deaths are real."),
        ),
        Stake(
            "band",
            format_lazy(_("ladder within {points} points"), points=BAND),
            format_lazy(
                _("Scores are at stake. Only for mages whose scores are at most {points} points apart."), points=BAND
            ),
            in_band=True,
        ),
        Stake(
            "no-gain",
            _("ladder, no gain from far above"),
            format_lazy(
                _(
                    "Scores are at stake, but a winner who starts {points} or more points above the average of all "
                    "mages gains nothing."
                ),
                points=BAND,
            ),
            withholds=True,
        ),
        Stake(
            FRIENDLY,
            pgettext_lazy("stakes", "friendly"),
            _("Scores do not change and deaths are not real. The battle counts in records and ratings."),
            scores=False,
        ),
        Stake(
            VERY_FRIENDLY,
            _("very friendly"),
            _("Scores do not change and deaths are not real. The battle does not count in records or ratings."),
            scores=False,
            counts=False,
        ),
        Stake(
            BOTS,
            _("rated, with bots"),
            _(
                "For duels with bots: only your rating with bots changes. Scores do not change and "
                "deaths are not real. Users' bots may join."
            ),
            scores=False,
            counts=False,
            with_bots=True,
        ),
        Stake(
            LEAGUE,
            pgettext_lazy("stakes", "league"),
            _(
                "A duel of the league. Scores do not change and deaths are not real. The duel counts in records and "
                "ratings, and its result in the table."
            ),
            scores=False,
            offered=False,
            engages=False,
            is_event=True,
        ),
        Stake(
            CUP,
            pgettext_lazy("stakes", "cup"),
            _(
                "A duel of a cup. Scores do not change and deaths are not real. The duel counts in records and "
                "ratings, and its winner reaches the next round."
            ),
            scores=False,
            offered=False,
            engages=False,
            draws=False,
            is_event=True,
        ),
        Stake(
            EVENING,
            pgettext_lazy("stakes", "live evening"),
            _(
                "A duel of a live evening. Scores do not change and deaths are not real. The duel counts in records "
                "and ratings, and its result in the table."
            ),
            scores=False,
            offered=False,
            engages=False,
            is_event=True,
        ),
        Stake(
            ROUND_ROBIN,
            pgettext_lazy("stakes", "round robin"),
            _(
                "A duel of a round robin of bots. Only ratings with bots change, and its result counts in the table. "
                "Scores do not change and deaths are not real."
            ),
            scores=False,
            counts=False,
            with_bots=True,
            offered=False,
            engages=False,
            is_event=True,
        ),
    )
}
# What players can choose from.
OFFERED_STAKES = {word: stake for word, stake in STAKES.items() if stake.offered}
EVENT_STAKES = tuple(word for word, stake in STAKES.items() if stake.is_event)
# What changes the ratings with bots.
WITH_BOTS = tuple(word for word, stake in STAKES.items() if stake.with_bots)
STAKES_WORDS = (
    f"What the battle is for: {', '.join(f'`{word}`' for word in OFFERED_STAKES)}. Bots never play for scores."
)
EVENT_STAKES_WORDS = f"In leagues and cups: {', '.join(f'`{word}`' for word in EVENT_STAKES)}."
"""What the documents of the API say of stakes."""


def explain_limit(wins: int) -> str:
    """Return the sentence that only so many `wins` over one user count (see `ladder.services.repeated_wins`)."""
    words = ngettext(
        "Only your first win over the same user within 30 days scores and rates.",
        "Only your first %(most)s wins over the same user within 30 days score and rate.",
        wins,
    )
    return words % {"most": wins}


def is_far_above(score: int, scores: Collection[int]) -> bool:
    """Return whether a mage's `score` is too far above the `scores` of all mages, its own included, to gain points."""
    return score - sum(scores) // len(scores) >= BAND


def is_in_band(scores: Collection[int]) -> bool:
    """Return whether these scores are close enough for a battle within the band."""
    return max(scores) - min(scores) <= BAND
