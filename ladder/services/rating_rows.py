"""Rows of ratings, read as the plain values of `ladder.rating` and written from them."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from accounts.models import User
from ladder.glicko2 import Encounter, Skill
from ladder.models import Placing, RatingEntry, ScoredBattle, ScoreKind, UserRating
from ladder.models.ratings import RatingColumns
from ladder.pool import find_start
from ladder.rating import Kind, RatedBattle, RatingState, is_rated
from ladder.stakes import STAKES, WITH_BOTS

CHUNK = 1000
COLUMNS = (
    *("rating", "deviation", "volatility", "elo", "battles", "day"),
    *("start_rating", "start_deviation", "start_volatility"),
)


def of_kind(kind: Kind) -> Q:
    """Return the condition for the battles that may change ratings of `kind`."""
    with_bots = Q(stakes__in=WITH_BOTS)
    return with_bots & Q(kind=ScoreKind.DUEL) if kind == "bots" else Q(kind=kind) & ~with_bots


def read_rated_battles(kind: Kind, battles: Collection[ScoredBattle]) -> list[RatedBattle]:
    """Return those of the battles that change ratings: not practice, very friendly or annulled, and with at least two
    users, without those whom the winners have beaten too often."""
    counted = [each for each in battles if not each.practice and not each.annulled_at and STAKES[each.stakes].is_rated]
    users: dict[int, set[int]] = defaultdict(set)
    winners: dict[int, set[int]] = defaultdict(set)
    rated = Placing.objects.filter(battle__in=counted, is_repeated=False)
    for battle, user, won in rated.values_list("battle_id", "user_id", "won"):
        users[battle].add(user)
        if won:
            winners[battle].add(user)
    results = (
        RatedBattle(
            number=each.number,
            kind=kind,
            ended_at=each.scored_at,
            winners=frozenset(winners[each.pk]),
            others=frozenset(users[each.pk] - winners[each.pk]),
        )
        for each in counted
    )
    return [result for result in results if is_rated(result)]


def read_ratings(kind: Kind, users: Collection[int]) -> dict[int, RatingState]:
    """Return the current ratings of these users, with the results of each one's last day."""
    rows = {row.user_id: row for row in UserRating.objects.filter(kind=kind, user__in=users)}
    results = _read_day_results(kind, {user: row.day for user, row in rows.items()}) if kind != "melee" else {}
    return {user: _to_state(row, results.get(user, ())) for user, row in rows.items()}


def read_all_ratings(kind: Kind) -> dict[int, RatingState]:
    """Return all current ratings, without the results they come from."""
    rows = UserRating.objects.filter(kind=kind).iterator(chunk_size=CHUNK)
    return {row.user_id: _to_state(row) for row in rows}


def read_starts(kind: Kind) -> dict[int, RatingState]:
    """Return the ratings of the users who don't start as strangers: the site's bots, in battles with bots."""
    if kind != "bots":
        return {}
    bots = User.objects.filter(is_bot=True).exclude(bot_strength="").values_list("pk", "bot_strength")
    starts = {user: find_start(strength) for user, strength in bots}
    return {user: start for user, start in starts.items() if start is not None}


def store_ratings(kind: Kind, ratings: Mapping[int, RatingState]) -> None:
    """Insert or replace the current ratings of these users."""
    rows = [UserRating(user_id=user, kind=kind, **_to_columns(rating)) for user, rating in ratings.items()]
    UserRating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "kind"], update_fields=COLUMNS, batch_size=CHUNK
    )


def make_entry(battle: RatedBattle, user: int, before: RatingState, after: RatingState) -> RatingEntry:
    """Return the unsaved row for the effect of `battle` on one user."""
    faced = after.results[-1] if after.results else None
    return RatingEntry(
        user_id=user,
        kind=battle.kind,
        battle=battle.number,
        ended_at=battle.ended_at,
        rating_before=before.rating,
        elo_before=before.elo,
        faced_rating=faced.rating if faced else None,
        faced_deviation=faced.deviation if faced else None,
        score=faced.score if faced else None,
        **_to_columns(after),
    )


def rewind_ratings(kind: Kind, since: tuple[datetime, int] | None) -> None:
    """Undo the effect of the battles of `kind` that come at or after `since` (end, number); None: of all battles."""
    entries, battles = Q(kind=kind), of_kind(kind)
    if since is not None:
        ended_at, number = since
        entries &= Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, battle__gte=number)
        battles &= Q(scored_at__gt=ended_at) | Q(scored_at=ended_at, number__gte=number)
    undone = RatingEntry.objects.filter(entries)
    users = sorted(set(undone.values_list("user_id", flat=True)))
    undone.delete()
    ScoredBattle.objects.filter(battles, is_rated=True).update(is_rated=False)
    for start in range(0, len(users), CHUNK):
        _restore_last_entries(kind, users[start : start + CHUNK])


def _restore_last_entries(kind: Kind, users: Collection[int]) -> None:
    """Reset the ratings of these users to their last entries; without an entry, delete the rating."""
    newest = RatingEntry.objects.filter(user=OuterRef("user"), kind=kind).order_by("-ended_at", "-battle").values("pk")
    ratings = UserRating.objects.filter(kind=kind, user__in=users)
    last = ratings.annotate(last=Subquery(newest[:1])).values_list("last", flat=True)
    restored = {row.user_id: _to_state(row) for row in RatingEntry.objects.in_bulk(list(last)).values()}
    ratings.exclude(user__in=restored).delete()
    store_ratings(kind, restored)


def _read_day_results(kind: Kind, days: Mapping[int, date]) -> dict[int, tuple[Encounter, ...]]:
    """Return the results of each user on the given day, in order."""
    results: dict[int, list[Encounter]] = defaultdict(list)
    if days:
        entries = RatingEntry.objects.filter(kind=kind, user__in=days, day__gte=min(days.values()))
        columns = ("user_id", "day", "faced_rating", "faced_deviation", "score")
        for user, day, rating, deviation, score in entries.order_by("ended_at", "battle").values_list(*columns):
            if days[user] == day and rating is not None and deviation is not None and score is not None:
                results[user].append(Encounter(rating, deviation, score))
    return {user: tuple(encounters) for user, encounters in results.items()}


def _to_state(row: RatingColumns, results: tuple[Encounter, ...] = ()) -> RatingState:
    start = None
    if row.start_rating is not None and row.start_deviation is not None and row.start_volatility is not None:
        start = Skill(row.start_rating, row.start_deviation, row.start_volatility)
    return RatingState(row.rating, row.deviation, row.volatility, row.elo, row.battles, row.day, start, results)


def _to_columns(state: RatingState) -> dict[str, Any]:
    start = state.start
    current = (state.rating, state.deviation, state.volatility, state.elo, state.battles, state.day)
    of_start = (start.rating, start.deviation, start.volatility) if start else (None, None, None)
    return dict(zip(COLUMNS, (*current, *of_start), strict=True))
