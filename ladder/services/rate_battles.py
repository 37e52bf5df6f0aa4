"""Rates battles, each once, in the order in which they ended; after a change, again from the changed battle on."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet

from ladder.models import RatingEntry, RatingLock, ScoredBattle, StaleRating
from ladder.rating import NEW, Kind, RatedBattle, RatingState, find_kind, rate
from ladder.services.count_requests import ask_for_counts_of_bands
from ladder.services.rating_rows import (
    CHUNK,
    make_entry,
    of_kind,
    read_all_ratings,
    read_rated_battles,
    read_ratings,
    read_starts,
    rewind_ratings,
    store_ratings,
)


@dataclass(frozen=True)
class Rebuilt:
    """The result of rebuilding ratings: how many battles there are, and which users' ratings changed."""

    battles: int
    changed_users: frozenset[int]


def rate_battles(*, kind: Kind, limit: int = CHUNK) -> int:
    """Rate up to `limit` unrated battles of `kind` (one of `ladder.rating.KINDS`); return how many.

    If a battle arrives late, or was annulled, restored or corrected, everything from it on is rated again. Only one
    caller at a time rates a kind; others wait.
    """
    with transaction.atomic():
        _lock_ratings(kind)
        _rewind_stale_ratings(kind)
        return _rate_next(kind, limit)


def rebuild_ratings(*, kind: Kind) -> Rebuilt:
    """Rebuild all ratings of `kind` from the battles, in one transaction."""
    with transaction.atomic():
        _lock_ratings(kind)
        before = read_all_ratings(kind)
        StaleRating.objects.filter(kind=kind).delete()
        rewind_ratings(kind, None)
        battles, ratings, played = 0, read_starts(kind), set[int]()
        while chunk := list(_pending(kind)[:CHUNK]):
            played |= _store_entries(read_rated_battles(kind, chunk), ratings)
            _mark_rated(chunk)
            battles += len(chunk)
        store_ratings(kind, {user: ratings[user] for user in played})
        after = read_all_ratings(kind)
    changed = frozenset(user for user in {*before, *after} if before.get(user) != after.get(user))
    return Rebuilt(battles, changed)


def mark_ratings_stale(scored: ScoredBattle) -> None:
    """Mark ratings as stale from that battle on, so that the next run redoes them."""
    kind = find_kind(scored.kind, scored.stakes)
    StaleRating.objects.create(kind=kind, ended_at=scored.scored_at, battle=scored.number)


def _lock_ratings(kind: Kind) -> None:
    RatingLock.objects.get_or_create(kind=kind)
    RatingLock.objects.select_for_update().get(kind=kind)


def _pending(kind: Kind) -> QuerySet[ScoredBattle]:
    return ScoredBattle.objects.filter(of_kind(kind), is_rated=False).order_by("scored_at", "number")


def _rewind_stale_ratings(kind: Kind) -> None:
    """Undo all ratings from the first battle on that changed or arrived late."""
    stale = list(StaleRating.objects.filter(kind=kind))
    keys = [(row.ended_at, row.battle) for row in stale]
    first = _pending(kind).first()
    if first is not None and _is_late(kind, first):
        keys.append((first.scored_at, first.number))
    if keys:
        rewind_ratings(kind, min(keys))
    StaleRating.objects.filter(pk__in=[row.pk for row in stale]).delete()


def _is_late(kind: Kind, battle: ScoredBattle) -> bool:
    after = Q(scored_at__gt=battle.scored_at) | Q(scored_at=battle.scored_at, number__gt=battle.number)
    return ScoredBattle.objects.filter(after, of_kind(kind), is_rated=True).exists()


def _rate_next(kind: Kind, limit: int) -> int:
    """Rate the next battles, starting from their users' current ratings."""
    battles = list(_pending(kind)[:limit])
    rated = read_rated_battles(kind, battles)
    ratings = read_starts(kind) | read_ratings(kind, {user for battle in rated for user in battle.users})
    changed = _store_entries(rated, ratings)
    store_ratings(kind, {user: ratings[user] for user in changed})
    _mark_rated(battles)
    return len(battles)


def _store_entries(battles: Collection[RatedBattle], ratings: dict[int, RatingState]) -> set[int]:
    """Store the effect of each battle, update `ratings`, and return the users affected."""
    entries: list[RatingEntry] = []
    for battle in battles:
        after = rate(battle, ratings)
        entries += [
            make_entry(battle, user, ratings.get(user, NEW[battle.kind]), rating) for user, rating in after.items()
        ]
        ratings.update(after)
    RatingEntry.objects.bulk_create(entries, batch_size=CHUNK)
    ask_for_counts_of_bands(entries=entries)
    return {entry.user_id for entry in entries}


def _mark_rated(battles: Collection[ScoredBattle]) -> None:
    ScoredBattle.objects.filter(pk__in=[battle.pk for battle in battles]).update(is_rated=True)
