"""Drawing the groups of a season, and giving places and duels to its entrants."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import takewhile

from django.db import transaction
from django.db.models import Q

from ladder.models import UserRating
from ladder.rating import NEW_DUEL
from league.models import Entry, Group, Pairing, Place, Season
from league.models.season import WEEK
from league.rules.groups import LEAST, Earlier, Entrant, draw_groups
from league.rules.round_robin import FILLED, ROUNDS, find_opponent, list_pairs
from league.selectors.seasons import find_free_slot, find_last_season, takes_newcomers
from league.services.tell import tell_of_draw

MOVEMENTS = {Place.Movement.UP: -1, Place.Movement.STAY: 0, Place.Movement.DOWN: 1}


def draw_season(*, season: Season, now: datetime) -> bool:
    """Draw the groups of a season that is due, once; return whether this call did.

    With too few entrants the season waits a week. So it does if the draw comes so late that round 1 should have begun:
    pairs need the time to agree on their pace.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season.pk)
        if season.drawn_at is not None or now < season.draws_at:
            return False
        # Locked, so that nobody leaves unseen.
        entries = list(Entry.objects.select_for_update(of=("self",)).filter(left_at=None).select_related("mage"))
        if len(entries) < LEAST or now >= season.begins_at:
            weeks = max((now - season.draws_at) // WEEK, 0) + 1
            season.begins_at += weeks * WEEK
            season.weeks_waited += weeks
            season.save(update_fields=["begins_at", "weeks_waited"])
            return False
        season.drawn_at = now
        season.save(update_fields=["drawn_at"])
        by_user = {entry.user_id: entry for entry in entries}
        for tier, drawn in enumerate(draw_groups(_list_entrants(entries)), 1):
            _make_group(season, tier, [by_user[each.key] for each in drawn])
        tell_of_draw(season=season, now=now)
    return True


def _list_entrants(entries: Sequence[Entry]) -> list[Entrant]:
    users = [entry.user_id for entry in entries]
    ratings = dict(UserRating.objects.filter(user__in=users, kind="duel").values_list("user_id", "rating"))
    earlier = _find_earlier(users)
    return [
        Entrant(
            entry.user_id,
            ratings.get(entry.user_id, NEW_DUEL.rating),
            entry.signed_up_at,
            earlier.get(entry.user_id),
        )
        for entry in entries
    ]


def _find_earlier(users: Iterable[int]) -> dict[int, Earlier]:
    """Return where these users ended in the last season; those who were not in its tables at the end are newcomers."""
    last = find_last_season()
    if last is None:
        return {}
    places = Place.objects.filter(group__season=last, user__in=users, rank__isnull=False).exclude(movement="")
    rows = places.values_list("user_id", "group__tier", "rank", "movement")
    return {user: Earlier(tier, rank or 0, MOVEMENTS[Place.Movement(movement)]) for user, tier, rank, movement in rows}


def _make_group(season: Season, tier: int, entries: Sequence[Entry]) -> None:
    group = Group.objects.create(season=season, tier=tier)
    Place.objects.bulk_create(
        Place(group=group, user_id=entry.user_id, mage=entry.mage, slot=slot, signed_up_at=entry.signed_up_at)
        for slot, entry in zip(FILLED, entries, strict=False)
    )
    by_slot = {place.slot: place for place in Place.objects.filter(group=group)}
    Pairing.objects.bulk_create(
        _pair(group, number, board, by_slot.get(one), by_slot.get(other))
        for number in range(1, ROUNDS + 1)
        for board, (one, other) in enumerate(list_pairs(number), 1)
        if one in by_slot or other in by_slot
    )


def _pair(group: Group, number: int, board: int, one: Place | None, other: Place | None) -> Pairing:
    """Return the duel of two slots, of which one may be free. Each slot is first in about half of its rounds."""
    pair = [place for place in (one, other) if place is not None]
    if one is not None and other is not None and _is_second(one, other):
        pair.reverse()
    return Pairing(group=group, round=number, board=board, first=pair[0], second=pair[1] if pair[1:] else None)


def _is_second(one: Place, other: Place) -> bool:
    low, high = sorted((one, other), key=lambda place: place.slot or 0)
    return ((low.slot or 0) + (high.slot or 0)) % 2 == (0 if one is low else 1)


def lock_open_season() -> Season | None:
    """Lock the season that runs or comes next, so that no draw and no round begins before the end of the transaction.

    Code that changes places locks it before any entry.
    """
    return Season.objects.select_for_update().filter(closed_at=None).order_by("number").first()


def seat_waiting(*, season: Season) -> int:
    """Give free places to those who entered while the groups were drawn, or for whom there was none; return how
    many."""
    if not takes_newcomers(season):
        return 0
    seated = Place.objects.filter(group__season=season).values("user")
    waiting = Entry.objects.filter(left_at=None).exclude(user__in=seated).select_related("user", "mage")
    places = (give_free_place(entry=entry, season=season) for entry in waiting.order_by("signed_up_at", "pk"))
    return sum(1 for _ in takewhile(lambda place: place is not None, places))


def give_free_place(*, entry: Entry, season: Season) -> Place | None:
    """Give a newcomer a free place of a season that takes newcomers: they play from the next round on.

    None if there is no free place, or they have had a place in this season: they play in the next one.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season.pk)
        if not Entry.objects.select_for_update(of=("self",)).filter(pk=entry.pk, left_at=None).exists():
            return None
        had_one = Place.objects.filter(group__season=season, user=entry.user_id).exists()
        free = find_free_slot(season) if takes_newcomers(season) and not had_one else None
        if free is None:
            return None
        group, slot = free
        place = Place.objects.create(
            group=group,
            user=entry.user,
            mage=entry.mage,
            slot=slot,
            signed_up_at=entry.signed_up_at,
            joined_in_round=season.round + 1,
        )
        by_slot = {each.slot: each for each in Place.objects.filter(group=group)}
        for number in range(season.round + 1, ROUNDS + 1):
            other = by_slot.get(find_opponent(slot, number))
            board = _find_board(slot, number)
            pairing = _pair(group, number, board, place, other)
            waiting = Pairing.objects.filter(group=group, round=number, board=board)
            if other is None:
                pairing.save()
            elif other.left_at is None:
                waiting.update(first=pairing.first, second=pairing.second)
    return place


def _find_board(slot: int, number: int) -> int:
    return next(board for board, pair in enumerate(list_pairs(number), 1) if slot in pair)


def withdraw_place(*, place: Place) -> None:
    """Take a place back before round 1: the slot is free again, and its opponents have a bye."""
    for pairing in Pairing.objects.filter(Q(first=place) | Q(second=place)).select_related("first", "second"):
        others = [each for each in (pairing.first, pairing.second) if each is not None and each.pk != place.pk]
        pairing.first_wants_bank = pairing.second_wants_bank = False
        if others:
            pairing.first, pairing.second = others[0], None
            pairing.save()
    place.delete()
