"""Read ratings, and the remembered dead."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet
from django.db.models.functions import Lower

from accounts.models import User
from ladder.models import RatingEntry, Remembrance, UserRating
from ladder.rating import MELEE_DEVIATION, MELEE_RATING, RatingState, is_provisional, rest_until

# Melee ratings are shown on the scale of duels: the middle is 1500.
MELEE_SCALE = 60
MIDDLE = 1500
REMEMBERED = 10


@dataclass(frozen=True)
class ShownRating:
    """A rating as shown: whole points, its deviation, and whether it is provisional.

    `elo` is the classic server's rating, for duels only.
    """

    rating: int
    deviation: int
    is_provisional: bool
    battles: int
    elo: float | None


def find_rating(user: User, kind: str, *, today: date) -> ShownRating | None:
    """Return the rating of `user` at the start of `today`, or None if they have none."""
    row = UserRating.objects.filter(user=user, kind=kind).first()
    return describe_rating(row, today=today) if row else None


def find_ratings(users: Iterable[User], *, today: date) -> dict[tuple[int, str], ShownRating]:
    """Return the ratings of these users at the start of `today`, by user and kind; users without one are left out."""
    rows = UserRating.objects.filter(user__in=[user.pk for user in users])
    return {(row.user_id, row.kind): describe_rating(row, today=today) for row in rows}


def describe_rating(row: UserRating, *, today: date) -> ShownRating:
    """Return a stored rating as shown; days without a duel make it less certain."""
    rating = RatingState(row.rating, row.deviation, row.volatility, row.elo, row.battles, row.day)
    if row.kind != "melee":
        rating = rest_until(rating, today)
    return ShownRating(
        rating=round(shown_rating(row.kind, rating.rating)),
        deviation=round(shown_deviation(row.kind, rating.deviation)),
        is_provisional=is_provisional(row.kind, deviation=rating.deviation, battles=row.battles),
        battles=row.battles,
        elo=None if row.elo is None else row.elo / 100,
    )


def shown_rating(kind: str, rating: float) -> float:
    return MIDDLE + (rating - MELEE_RATING) * MELEE_SCALE if kind == "melee" else rating


def shown_deviation(kind: str, deviation: float) -> float:
    """Return a stored deviation on the scale that pages show; everyone starts at MELEE_DEVIATION."""
    return min(deviation, MELEE_DEVIATION) * MELEE_SCALE if kind == "melee" else deviation


def list_rating_entries(user: User, kind: str) -> QuerySet[RatingEntry]:
    """Return the rating history of `user`, oldest first."""
    return RatingEntry.objects.filter(user=user, kind=kind).order_by("ended_at", "battle")


def read_ratings_after(user: User, battles: Iterable[int]) -> dict[int, int]:
    """Return the rating of `user`, as shown, after each of these battles that changed it."""
    rows = RatingEntry.objects.filter(user=user, battle__in=list(battles)).values_list("battle", "kind", "rating")
    return {battle: round(shown_rating(kind, rating)) for battle, kind, rating in rows}


def list_remembered(kind: str, *, most: int | None = REMEMBERED) -> QuerySet[Remembrance]:
    """Return the dead of that kind of battle by their last score, highest first, then by user and mage (firetop-server
    5.7): the first ten, or all with `most` None."""
    found = Remembrance.objects.filter(kind=kind).select_related("mage__user")
    ordered = found.order_by("-score", Lower("mage__user__username"), Lower("mage__name"))
    return ordered if most is None else ordered[:most]
