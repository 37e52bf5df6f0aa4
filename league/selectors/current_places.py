"""Where a user plays now: their places in the league that runs and in cups that run or come, read together for home."""

from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from league.models import Entry, Place


@dataclass(frozen=True)
class CurrentPlaces:
    """A user's place in the league, if they have one, and those in cups, the soonest cup first; none that they left."""

    league: Place | None = None
    cups: tuple[Place, ...] = ()


def read_current_places(user: User) -> CurrentPlaces:
    """Return the current places of `user`."""
    places = list_current_places(user.pk).select_related("group__season", "cup", "mage__user")
    league = next((place for place in places if place.group is not None), None)
    return CurrentPlaces(league, tuple(place for place in places if place.cup is not None))


def is_in_event(user: User) -> bool:
    """Return whether `user` is in the league or in a cup that runs or comes, signed up or placed."""
    return list_current_places(user.pk).exists() or Entry.objects.filter(user=user, left_at=None).exists()


def list_current_places(user: int) -> QuerySet[Place]:
    """Return the places of `user` (their id): the one in the league first, then the soonest cup."""
    # A place is in a group or in a cup: what the other one would say is empty.
    mine = Place.objects.filter(user=user, left_at=None, group__season__closed_at=None)
    current = mine.filter(cup__closed_at=None, cup__cancelled_at=None)
    return current.order_by("-group__season__number", "cup__begins_at", "pk")
