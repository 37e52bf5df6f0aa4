"""Open duels of people that fit a user: they may join, and the other is about as strong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from accounts.models import User
from accounts.selectors.hold import list_suspended
from challenges.models import Challenge
from challenges.selectors.lists import ChallengeFilter, list_open_challenges
from challenges.shown import ShownChallenge
from ladder.selectors.ratings import MIDDLE, find_ratings

# How far the two ratings may be apart.
RATING_BAND = 200


@dataclass(frozen=True)
class FittingDuel:
    """An open duel, with the rating of its challenger and the reader's own; None for someone without one."""

    duel: ShownChallenge
    rating: int | None
    own_rating: int | None

    @property
    def distance(self) -> int:
        return abs((self.rating or MIDDLE) - (self.own_rating or MIDDLE))


def list_fitting_duels(user: User, *, today: date) -> list[FittingDuel]:
    """Return the open duels of people that one of the user's mages may join, the one nearest in rating first: at most
    RATING_BAND apart, and none of someone who is suspended. Who has no rating counts as average."""
    wanted = ChallengeFilter(is_duel=True, joinable=True)
    duels = [row for row in list_open_challenges(viewer=user, wanted=wanted) if not row.is_of_bot]
    if not duels:
        return []
    names = {row.challenger_user for row in duels}
    users = User.objects.filter(username__in=names, is_bot=False, is_guest=False).exclude(pk__in=list_suspended())
    challengers = {each.username: each for each in users}
    ratings = find_ratings([user, *challengers.values()], today=today)

    def rating_of(someone: User) -> int | None:
        shown = ratings.get((someone.pk, "duel"))
        return shown.rating if shown else None

    found = [
        FittingDuel(row, rating_of(challengers[row.challenger_user]), rating_of(user))
        for row in duels
        if row.challenger_user in challengers
    ]
    return sorted((each for each in found if each.distance <= RATING_BAND), key=lambda each: each.distance)


def find_duel_of_another_pace(user: User, *, number: int, today: date) -> tuple[FittingDuel, str] | None:
    """Return the open duel that fits the user best among those whose pace is not that of challenge `number`, in which
    one of their mages waits, and the name of its pace. Another of their mages may join it."""
    fitting = list_fitting_duels(user, today=today)
    if not fitting:
        return None
    numbers = [number, *(each.duel.number for each in fitting)]
    paces = dict(Challenge.objects.filter(number__in=numbers).values_list("number", "terms__pace"))
    others = (each for each in fitting if paces[each.duel.number] != paces[number])
    found = next(others, None)
    return (found, paces[found.duel.number]) if found else None
