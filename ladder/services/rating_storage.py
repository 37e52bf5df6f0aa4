"""Load and store ratings: between database rows and the plain values of `ladder.rating`."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from ladder.glicko2 import Encounter, Skill
from ladder.models import Placing, RatingEntry, ScoredBattle, ScoreKind, UserRating
from ladder.models.ratings import RatingColumns
from ladder.rating import Kind, RatedBattle, RatingState, is_rated
from ladder.stakes import BOTS, STAKES

CHUNK = 1000
COLUMNS = (
    "rating", "deviation", "volatility", "elo", "battles", "day", "start_rating", "start_deviation", "start_volatility",
)  # fmt: skip


def read_results(kind: Kind, battles: Collection[ScoredBattle]) -> list[RatedBattle]:
    """Return the battles that change ratings: not practice, very friendly or annulled, and with two users or more."""
    counted = [each for each in battles if not each.practice and not each.annulled_at and STAKES[each.stakes].is_rated]
    won: dict[int, set[int]] = defaultdict(set)
    there: dict[int, set[int]] = defaultdict(set)
    placed = Placing.objects.filter(battle__in=counted).values_list("battle_id", "user_id", "won")
    for battle, user, is_winner in placed:
        there[battle].add(user)
        if is_winner:
            won[battle].add(user)
    results = (
        RatedBattle(
            number=each.number,
            kind=kind,
            ended_at=each.scored_at,
            winners=frozenset(won[each.pk]),
            others=frozenset(there[each.pk] - won[each.pk]),
        )
        for each in counted
    )
    return [result for result in results if is_rated(result)]


def filter_kind(kind: Kind) -> Q:
    """Return the condition for the battles that may change ratings of `kind`."""
    with_bots = Q(stakes=BOTS)
    return with_bots & Q(kind=ScoreKind.DUEL) if kind == "bots" else Q(kind=kind) & ~with_bots


def load_ratings(kind: Kind, users: Collection[int]) -> dict[int, RatingState]:
    """Return the current ratings of these users, with the results of each one's last day."""
    found = {row.user_id: row for row in UserRating.objects.filter(kind=kind, user__in=users)}
    days = _read_days(kind, {user: row.day for user, row in found.items()}) if kind != "melee" else {}
    return {user: _read_rating(row, days.get(user, ())) for user, row in found.items()}


def read_all_ratings(kind: Kind) -> dict[int, RatingState]:
    """Return all current ratings, without the results they come from."""
    rows = UserRating.objects.filter(kind=kind).iterator(chunk_size=CHUNK)
    return {row.user_id: _read_rating(row, ()) for row in rows}


def write_entry(result: RatedBattle, user: int, before: RatingState, after: RatingState) -> RatingEntry:
    """Return the unsaved row for the effect of `result` on one user."""
    faced = after.results[-1] if after.results else None
    return RatingEntry(
        user_id=user,
        kind=result.kind,
        battle=result.number,
        ended_at=result.ended_at,
        rating_before=before.rating,
        elo_before=before.elo,
        faced_rating=faced.rating if faced else None,
        faced_deviation=faced.deviation if faced else None,
        score=faced.score if faced else None,
        **_columns(after),
    )


def store_ratings(kind: Kind, ratings: Mapping[int, RatingState]) -> None:
    rows = [UserRating(user_id=user, kind=kind, **_columns(each)) for user, each in ratings.items()]
    UserRating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "kind"], update_fields=COLUMNS, batch_size=CHUNK
    )


def rewind_ratings(kind: Kind, since: tuple[datetime, int] | None) -> None:
    """Undo the effect on ratings of battles of `kind` from that key (end, number) on; None: of all battles."""
    later = Q(kind=kind)
    rated = filter_kind(kind)
    if since is not None:
        ended_at, number = since
        later &= Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, battle__gte=number)
        rated &= Q(scored_at__gt=ended_at) | Q(scored_at=ended_at, number__gte=number)
    entries = RatingEntry.objects.filter(later)
    users = sorted(set(entries.values_list("user_id", flat=True)))
    entries.delete()
    ScoredBattle.objects.filter(rated, is_rated=True).update(is_rated=False)
    for start in range(0, len(users), CHUNK):
        _restore_last_entries(kind, users[start : start + CHUNK])


def _restore_last_entries(kind: Kind, users: Collection[int]) -> None:
    """Reset the ratings of these users to their last entries; without an entry, delete the rating."""
    last = RatingEntry.objects.filter(user=OuterRef("user"), kind=kind).order_by("-ended_at", "-battle").values("pk")
    touched = UserRating.objects.filter(kind=kind, user__in=users)
    found = RatingEntry.objects.in_bulk(list(touched.annotate(last=Subquery(last[:1])).values_list("last", flat=True)))
    rated = {row.user_id: _read_rating(row, ()) for row in found.values()}
    touched.exclude(user__in=rated).delete()
    store_ratings(kind, rated)


def _read_days(kind: Kind, days: Mapping[int, date]) -> dict[int, tuple[Encounter, ...]]:
    """Return the results of each user on their last day, in order."""
    found: dict[int, list[Encounter]] = defaultdict(list)
    if days:
        rows = RatingEntry.objects.filter(kind=kind, user__in=days, day__gte=min(days.values()))
        facts = rows.order_by("ended_at", "battle").values_list(
            "user_id", "day", "faced_rating", "faced_deviation", "score"
        )
        for user, day, rating, deviation, score in facts:
            if days[user] == day and rating is not None and deviation is not None and score is not None:
                found[user].append(Encounter(rating, deviation, score))
    return {user: tuple(results) for user, results in found.items()}


def _read_rating(row: RatingColumns, results: tuple[Encounter, ...]) -> RatingState:
    start = None
    if row.start_rating is not None and row.start_deviation is not None and row.start_volatility is not None:
        start = Skill(row.start_rating, row.start_deviation, row.start_volatility)
    return RatingState(row.rating, row.deviation, row.volatility, row.elo, row.battles, row.day, start, results)


def _columns(rating: RatingState) -> dict[str, Any]:
    return {
        "rating": rating.rating,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "elo": rating.elo,
        "battles": rating.battles,
        "day": rating.day,
        "start_rating": rating.start.rating if rating.start else None,
        "start_deviation": rating.start.deviation if rating.start else None,
        "start_volatility": rating.start.volatility if rating.start else None,
    }
