"""The players who have a battle's page open now. This is only a hint in the cache: if it is lost, a dot is missing on
a page."""

from collections.abc import Iterable

from django.core.cache import cache

from duels.models import Combatant
from duels.wakeups import channel_of
from operations.wakeups import publish

# How long a player counts as here, and how often an open page renews that.
KEPT_SECONDS = 100
RENEW_SECONDS = 60


def mark_here(number: int, users: Iterable[int]) -> None:
    """Record that these players have the page of battle `number` open."""
    cache.set_many({_key(number, user): True for user in users}, KEPT_SECONDS)


def announce_arrival(number: int, user: int) -> None:
    """Record that a player has opened the page, and notify the other players' pages."""
    mark_here(number, [user])
    publish(channel_of(number), {"note": {"here": True}})


def announce_departure(number: int, user: int) -> None:
    """Record that a player has closed a page, and notify the other players' pages. If the player has another page open,
    it records again that they are here."""
    cache.delete(_key(number, user))
    publish(channel_of(number), {"note": {"here": True}})


def find_here(number: int) -> dict[int, tuple[str, ...]]:
    """Return the mages of the players whose page is open, by user id."""
    mages: dict[int, tuple[str, ...]] = {}
    fighting = Combatant.objects.filter(battle__number=number).order_by("position")
    for user, name in fighting.values_list("mage__user", "mage__name"):
        mages[user] = (*mages.get(user, ()), name)
    here = cache.get_many([_key(number, user) for user in mages])
    return {user: names for user, names in mages.items() if _key(number, user) in here}


def _key(number: int, user: int) -> str:
    return f"here:{number}:{user}"
