"""Which players have a battle's page open now. This is only a hint in the cache: if it is lost, a dot is missing on a
page."""

from collections.abc import Iterable

from django.core.cache import cache

from duels.models import Combatant
from duels.wakeups import channel_of
from fm_site.operations.push import publish

# An open page renews it before this is over.
KEPT_SECONDS = 100
SAY_AGAIN_SECONDS = 60


def mark_present(number: int, users: Iterable[int]) -> None:
    """Note that these players have the page of battle `number` open."""
    cache.set_many({_key(number, user): True for user in users}, KEPT_SECONDS)


def announce_arrival(number: int, user: int) -> None:
    """Note that a player has opened the page, and tell the pages of the other players."""
    mark_present(number, [user])
    publish(channel_of(number), {"note": {"here": True}})


def announce_departure(number: int, user: int) -> None:
    """Note that a player has closed a page, and tell the others; their other open pages note it again."""
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
