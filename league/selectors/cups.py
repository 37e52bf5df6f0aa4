"""Cups in lists: the next ones to join, those that run, and those that are over; and where a user stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from accounts.models import User
from league.models import Cup, Place


@dataclass(frozen=True)
class NextCup:
    """A cup that people can join: how many are in, and the reader's own place."""

    cup: Cup
    taken: int
    own: Place | None

    @property
    def is_full(self) -> bool:
        return self.taken >= self.cup.size


@dataclass(frozen=True)
class PastCup:
    """A cup that is over, with its winner; or that was cancelled, for as many entrants as there were."""

    cup: Cup
    winner: Place | None
    entrants: int


def list_next_cups(reader: User | None, *, now: datetime) -> list[NextCup]:
    """Return the cups that people can join now, the soonest first."""
    open_ones = Cup.objects.filter(started_at=None, cancelled_at=None, begins_at__gt=now)
    cups = list(open_ones.annotate(taken=Count("places")).order_by("begins_at", "pk"))
    own = _find_own(cups, reader)
    return [NextCup(cup, cup.taken, own.get(cup.pk)) for cup in cups]


def list_running_cups() -> QuerySet[Cup]:
    """Return the cups that are being played, the latest first."""
    return Cup.objects.filter(started_at__isnull=False, closed_at=None).order_by("-begins_at", "pk")


def list_past_cups(*, limit: int) -> list[PastCup]:
    """Return cups that are over or were cancelled, the latest first."""
    over = Cup.objects.exclude(closed_at=None, cancelled_at=None).annotate(entrants=Count("places"))
    cups = list(over.order_by("-begins_at", "-pk")[:limit])
    won = Place.objects.filter(cup__in=cups, rank=1).select_related("mage__user", "user")
    winners = {place.cup_id: place for place in won}
    return [PastCup(cup, winners.get(cup.pk), cup.entrants) for cup in cups]


def find_cup(pk: int) -> Cup | None:
    return Cup.objects.filter(pk=pk).first()


def find_own_place(cup: Cup, user: User | None) -> Place | None:
    """Return the place of `user` in a cup, also after they left it; None if they never had one."""
    return _find_own([cup], user).get(cup.pk)


def list_entrants(cup: Cup) -> list[Place]:
    """Return who has joined a cup that has not begun, the first first."""
    return list(cup.places.select_related("user", "mage__user").order_by("signed_up_at", "pk"))


def list_current_places(user: User) -> list[Place]:
    """Return the places of `user` in cups that run or come, the soonest cup first, without those they have left."""
    mine = Place.objects.filter(user=user, left_at=None, cup__closed_at=None, cup__cancelled_at=None)
    return list(mine.filter(cup__isnull=False).select_related("cup", "mage__user").order_by("cup__begins_at", "pk"))


def list_cups_won(users: Iterable[User]) -> list[Place]:
    """Return the places with which these users won cups, the latest first."""
    won = Place.objects.filter(user__in=[user.pk for user in users], rank=1, cup__closed_at__isnull=False)
    return list(won.select_related("cup", "mage", "user").order_by("-cup__begins_at", "-pk"))


def _find_own(cups: Iterable[Cup], user: User | None) -> dict[int, Place]:
    if user is None:
        return {}
    mine = Place.objects.filter(cup__in=list(cups), user=user).select_related("mage__user")
    return {place.cup_id: place for place in mine if place.cup_id is not None}
