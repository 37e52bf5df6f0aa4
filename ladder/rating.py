"""Ratings of users from the battles alone, as pure functions of plain values.

Duels, among people or with bots, are rated by Glicko-2 (`ladder.glicko2`), alongside the classic server's own rating
(`rate_elo`), melees by the Plackett-Luce model of Weng and Lin from the openskill library. Feed the battles in the
order of (end, number): the same battles give exactly the same ratings.

A user counts once in a melee, by their best mage. In a melee the winners rank first and all others equally: when a mage
fell says little about its user. A battle with only one user is not rated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING, Literal

from ladder import glicko2
from ladder.glicko2 import Encounter, Skill
from ladder.stakes import STAKES

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

Kind = Literal["duel", "melee", "bots"]
KINDS: tuple[Kind, ...] = ("duel", "melee", "bots")

MELEE_RATING, MELEE_DEVIATION = 25.0, 25.0 / 3.0
# Above this deviation, or with fewer melees, a rating is provisional.
SURE_DEVIATION = 110.0
SURE_MELEES = 10


@dataclass(frozen=True)
class RatedBattle:
    """A battle as ratings see it: which users took part, and which of them won. `kind` is the rating it changes."""

    number: int
    kind: Kind
    ended_at: datetime
    winners: frozenset[int]
    others: frozenset[int]

    @property
    def users(self) -> list[int]:
        return sorted(self.winners | self.others)

    @property
    def day(self) -> date:
        """The rating period: the day of the end, in UTC."""
        return self.ended_at.astimezone(UTC).date()


@dataclass(frozen=True)
class RatingState:
    """The rating of a user in one kind of battle.

    For duels: Glicko's rating, deviation and volatility; `elo` in hundredths; the `day` of the last battle, the skill
    at its `start` and its `results`. For melees: the library's mu and sigma.
    """

    rating: float
    deviation: float
    volatility: float | None = None
    elo: int | None = None
    battles: int = 0
    day: date | None = None
    start: Skill | None = None
    results: tuple[Encounter, ...] = ()

    @property
    def skill(self) -> Skill:
        """Return the Glicko-2 part."""
        return Skill(self.rating, self.deviation, self.volatility or glicko2.START.volatility)


# The duel rating that the classic server stored but never showed (firetop-server 5.5), in hundredths of a point.
ELO_START = 100_000
ELO_FACTOR = 40
# A player with this many more points is expected to win twice as often as to lose.
ELO_DOUBLING = 100
NEW_DUEL = RatingState(glicko2.START.rating, glicko2.START.deviation, glicko2.START.volatility, ELO_START)
NEW_MELEE = RatingState(MELEE_RATING, MELEE_DEVIATION)
NEW: Mapping[str, RatingState] = {"duel": NEW_DUEL, "melee": NEW_MELEE, "bots": NEW_DUEL}


def find_kind(kind: str, stakes: str) -> Kind:
    """Return which rating a battle of that kind ("duel" or "melee") and those stakes changes, if any."""
    if STAKES[stakes].with_bots:
        return "bots"
    return "melee" if kind == "melee" else "duel"


def is_rated(result: RatedBattle) -> bool:
    """Return whether at least two users took part."""
    return len(result.winners | result.others) > 1


def rate(result: RatedBattle, ratings: Mapping[int, RatingState]) -> dict[int, RatingState]:
    """Return the ratings of everyone in the battle after it; `ratings` has no entry for new users."""
    before = {user: ratings.get(user, NEW[result.kind]) for user in result.users}
    return _rate_melee(result, before) if result.kind == "melee" else _rate_duel(result, before)


def is_provisional(kind: str, *, deviation: float, battles: int) -> bool:
    """Return whether a rating is too uncertain to rank its user."""
    return battles < SURE_MELEES if kind == "melee" else deviation > SURE_DEVIATION


def rest_until(rating: RatingState, today: date) -> RatingState:
    """Return a duel rating at the start of `today`: each day without a battle makes it less certain."""
    if rating.day is None or rating.day >= today:
        return rating
    rested = glicko2.rest(rating.skill, (today - rating.day).days - 1)
    return replace(rating, deviation=rested.deviation)


def score_of_duel(result: RatedBattle, user: int) -> float:
    """Return 1 for a win, 0 for a loss, and 0.5 for both users if neither won."""
    return float(user in result.winners) if len(result.winners) == 1 else 0.5


def _rate_duel(result: RatedBattle, before: Mapping[int, RatingState]) -> dict[int, RatingState]:
    today = {user: _open_day(each, result.day) for user, each in before.items()}
    return {user: _meet(result, user, today[user], today[other])
            for user, other in zip(result.users, result.users[::-1], strict=True)}  # fmt: skip


def _open_day(rating: RatingState, day: date) -> RatingState:
    # Battles are rated in the order in which they ended, so days never go back.
    if rating.day == day:
        return rating
    return replace(rating, day=day, start=rest_until(rating, day).skill, results=())


def _meet(result: RatedBattle, user: int, own: RatingState, other: RatingState) -> RatingState:
    if own.start is None or other.start is None or own.elo is None or other.elo is None:
        raise ValueError("A duel rating needs a start and an Elo.")
    score = score_of_duel(result, user)
    results = (*own.results, Encounter(other.start.rating, other.start.deviation, score))
    skill = glicko2.rate_day(own.start, results)
    return replace(
        own,
        rating=skill.rating,
        deviation=skill.deviation,
        volatility=skill.volatility,
        elo=rate_elo(own.elo, other.elo, score),
        battles=own.battles + 1,
        results=results,
    )


def _rate_melee(result: RatedBattle, before: Mapping[int, RatingState]) -> dict[int, RatingState]:
    model = _melee_model()
    users = result.users
    teams = [[model.rating(mu=before[user].rating, sigma=before[user].deviation)] for user in users]
    ranks = [1.0 if user in result.winners or not result.winners else 2.0 for user in users]
    after = model.rate(teams, ranks=ranks)
    return {
        user: replace(
            before[user], rating=rated.mu, deviation=rated.sigma, battles=before[user].battles + 1, day=result.day
        )
        for user, [rated] in zip(users, after, strict=True)
    }


@cache
def _melee_model() -> "PlackettLuce":
    # Only rating needs the library: pages and emails that show ratings start without it.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MELEE_RATING, sigma=MELEE_DEVIATION)


def rate_elo(own: int, other: int, score: float) -> int:
    """Return `own` after a duel against `other`: `score` is 1 for a win, 0.5 for a draw, 0 for a loss.

    Each change is truncated to hundredths, towards zero.
    """
    expected = 1 / (1 + 2 ** ((other - own) / 100 / ELO_DOUBLING))
    return own + int(ELO_FACTOR * (score - expected) * 100)
