"""Telling the people of a league what happens in it, each thing once; and the hooks of the site what everyone may know.

Call these in the transaction of what they tell.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from fractions import Fraction
from typing import Any

from accounts.models import User
from league.models import Entry, Pairing, Place, Season
from league.selectors.overview import count_points
from league.words import write_points
from notifications.hook_events import LEAGUE
from notifications.services.open_hooks import tell_open_hooks
from notifications.services.outbox import write_notice, write_notices


def tell_of_draw(*, season: Season, now: datetime) -> None:
    """Tell everyone their league, and whom they meet there."""
    places, begin = _list_places(season), {"begins_at": season.begins_at.isoformat()}
    names: dict[int, list[Place]] = defaultdict(list)
    for place in places:
        names[_tier(place)].append(place)
    _write(
        "league_drawn",
        season,
        (
            (place, {"mages": [each.mage.name for each in names[_tier(place)] if each != place], **begin})
            for place in places
        ),
        now,
    )
    _tell_hooks(season, "begins", {"mages": len(places), "leagues": len(names)}, now)


def tell_of_round(*, season: Season, now: datetime) -> None:
    """Tell everyone whom they meet in the round that has just begun."""
    playing = Pairing.objects.filter(group__season=season, round=season.round)
    facts: list[tuple[Place, dict[str, Any]]] = []
    for pairing in playing.select_related("first__mage", "first__user", "second__mage", "second__user", "group"):
        sides = [pairing.first, pairing.second]
        for place, other in (sides, sides[::-1]):
            if place is not None and place.left_at is None:
                place.group = pairing.group
                facts.append((place, {"round": season.round, "other": other.mage.name if other else ""}))
    _write("league_round", season, facts, now, what=f"round/{season.round}")


def tell_of_end(*, season: Season, now: datetime) -> None:
    """Tell everyone where the final table leaves them."""
    places = _list_places(season, with_gone=True)
    sizes: dict[int, int] = defaultdict(int)
    for place in places:
        sizes[_tier(place)] += 1
    champion = next((place for place in places if _tier(place) == 1 and place.rank == 1), None)
    playing = set(Entry.objects.filter(left_at=None).values_list("user_id", flat=True))
    _write(
        "league_over",
        season,
        (
            (
                place,
                {
                    "rank": place.rank,
                    "places": sizes[_tier(place)],
                    "movement": place.movement,
                    "champion": champion.mage.name if champion else "",
                    "plays_on": place.user_id in playing,
                },
            )
            for place in places
        ),
        now,
    )
    if champion is not None:
        points, duels = count_points([champion.pk]).get(champion.pk, (Fraction(0), 0))
        facts = {"champion": champion.mage.name, "points": write_points(points), "duels": duels}
        _tell_hooks(season, "over", facts, now)


def tell_of_lost_place(*, place: Place, now: datetime) -> None:
    """Tell someone that two forfeits have cost their place."""
    assert place.group is not None
    _write("league_place_lost", place.group.season, [(place, {})], now)


def tell_of_wish(*, pairing: Pairing, by: User, now: datetime) -> None:
    """Tell the opponent that `by` wants a time bank in their duel; once, however often they change their mind."""
    group, second = pairing.group, pairing.second
    if group is None or second is None:
        return
    mine, other = (pairing.first, second) if pairing.first.user_id == by.pk else (second, pairing.first)
    facts = {"season": group.season.number, "tier": group.tier, "round": pairing.round}
    write_notice(
        key=f"league/bank/{pairing.pk}/{other.user_id}",
        user=other.user,
        kind="league_bank",
        facts={**facts, "mage": other.mage.name, "other": mine.mage.name},
        about=[by.pk],
        now=now,
    )


def _list_places(season: Season, *, with_gone: bool = False) -> list[Place]:
    places = Place.objects.filter(group__season=season).select_related("user", "mage", "group")
    return list(places.order_by("group__tier", "pk") if with_gone else places.filter(left_at=None).order_by("pk"))


def _tier(place: Place) -> int:
    assert place.group is not None
    return place.group.tier


def _write(
    kind: str,
    season: Season,
    told: Iterable[tuple[Place, dict[str, Any]]],
    now: datetime,
    *,
    what: str = "",
) -> None:
    entries = [
        (
            f"league/{season.number}/{what or kind}/{place.user_id}",
            place.user,
            {"season": season.number, "tier": _tier(place), "mage": place.mage.name, **facts},
        )
        for place, facts in told
        if place.user.is_active
    ]
    write_notices(kind=kind, entries=entries, now=now)


def _tell_hooks(season: Season, what: str, facts: dict[str, Any], now: datetime) -> None:
    tell_open_hooks(
        kind="open_season",
        event=LEAGUE,
        key=f"season/{season.number}/{what}",
        facts={"season": season.number, "what": what, **facts},
        of_site=True,
        now=now,
    )
