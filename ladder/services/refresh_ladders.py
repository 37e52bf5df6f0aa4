"""Refreshing the ladders: the order of all living mages, by score, for each kind of battle and ruleset."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import models, transaction
from django.db.models import Max, Sum

from accounts.models import Engagement, Mage
from ladder.models import Ladder, LadderPlace, MageRecord, ScoreEntry, ScoreKind, UserRating
from ladder.selectors.ratings import ShownRating, describe_rating
from ladder.services.rank_news import Rise, write_news_of_ranks

Ratings = Mapping[int, ShownRating]

WEEK = timedelta(days=7)
AT_A_TIME = 2000
# Free mages first, then those in a challenge, then those in a battle (firetop-server 5.6).
BUSY = {None: 0, Engagement.Kind.CHALLENGE.value: 1, Engagement.Kind.BATTLE.value: 2}


class Contender(NamedTuple):
    """A living mage, with what a ladder needs."""

    mage_id: int
    user_id: int
    is_retired: bool


class MageBattles(NamedTuple):
    """A mage's battles, as a ladder shows them."""

    battles: int
    form: str
    points: int


class PlaceFigures(NamedTuple):
    """The columns of one LadderPlace."""

    place: int
    rank: int | None
    score: int
    gained: int
    battles: int
    form: str
    rating: int | None
    is_provisional: bool


NO_BATTLES = MageBattles(0, "", 0)


@dataclass(frozen=True)
class HighestKeys:
    """The highest keys of the rows that a refresh takes into account."""

    entry: int
    mage: int


def refresh_ladders(*, now: datetime) -> int:
    """Refresh every ladder as of `now`; return how many places changed. Readers see either the old or the new order."""
    seen = HighestKeys(entry=_find_highest_key(ScoreEntry), mage=_find_highest_key(Mage))
    contenders = _list_contenders()
    rulesets = MageRecord.objects.exclude(ruleset="").order_by().values_list("ruleset", flat=True).distinct()
    changed = 0
    for kind in ScoreKind.values:
        records = _read_records(kind)
        gained = _sum_changes(kind, since=now - WEEK)
        scores = _sum_changes(kind)
        ratings = _read_ratings(kind, now)
        overall = {mage: row for (mage, ruleset), row in records.items() if not ruleset}
        for retired in (False, True):
            ranked = [mage for mage in contenders if mage.is_retired == retired]
            places = _rank(ranked, scores, gained, overall, ratings)
            changed += _store(kind, "", retired, places, seen, now=now)
        for ruleset in sorted(rulesets):
            fought = {mage: row for (mage, name), row in records.items() if name == ruleset}
            ranked = [mage for mage in contenders if mage.mage_id in fought and not mage.is_retired]
            places = _rank(ranked, {mage: row.points for mage, row in fought.items()}, {}, fought, ratings)
            changed += _store(kind, ruleset, False, places, seen, now=now)
    return changed


def _find_highest_key(model: type[models.Model]) -> int:
    return model._default_manager.aggregate(last=Max("pk"))["last"] or 0


def _list_contenders() -> list[Contender]:
    """Return the living mages of people in the order that breaks ties of equal scores."""
    rows = Mage.objects.filter(died_at=None, user__is_bot=False, user__is_guest=False).values_list(
        "engagement__kind", "user__username", "name", "pk", "user_id", "retired_at"
    )
    keyed = [
        (BUSY[busy], user_name.lower(), name.lower(), Contender(mage, user, retired_at is not None))
        for busy, user_name, name, mage, user, retired_at in rows.iterator(chunk_size=AT_A_TIME)
    ]
    return [row[-1] for row in sorted(keyed)]


def _read_records(kind: str) -> dict[tuple[int, str], MageBattles]:
    rows = MageRecord.objects.filter(kind=kind).values_list("mage", "ruleset", "battles", "form", "points")
    return {
        (mage, ruleset): MageBattles(battles, form, points)
        for mage, ruleset, battles, form, points in rows.iterator(chunk_size=AT_A_TIME)
    }


def _read_ratings(kind: str, now: datetime) -> Ratings:
    rows = UserRating.objects.filter(kind=kind).iterator(chunk_size=AT_A_TIME)
    return {row.user_id: describe_rating(row, today=now.date()) for row in rows}


def _sum_changes(kind: str, *, since: datetime | None = None) -> dict[int, int]:
    rows = ScoreEntry.objects.filter(kind=kind, mage__died_at=None)
    recent = rows if since is None else rows.filter(created_at__gte=since)
    return dict(recent.order_by().values_list("mage").annotate(Sum("change")))


def _rank(
    mages: Iterable[Contender],
    scores: Mapping[int, int],
    gained: Mapping[int, int],
    records: Mapping[int, MageBattles],
    ratings: Ratings,
) -> dict[int, PlaceFigures]:
    """Return the places of mages, highest score first, those who never fought last; `mages` come in the order that
    breaks ties."""

    def is_unranked(mage: Contender) -> bool:
        return mage.mage_id not in scores and mage.mage_id not in records

    places, rank, last = dict[int, PlaceFigures](), 0, None
    in_order = sorted(mages, key=lambda mage: (is_unranked(mage), -scores.get(mage.mage_id, 0)))
    for place, mage in enumerate(in_order, start=1):
        score, record = scores.get(mage.mage_id, 0), records.get(mage.mage_id, NO_BATTLES)
        rating = ratings.get(mage.user_id)
        rank, last = (rank, last) if score == last else (place, score)
        places[mage.mage_id] = PlaceFigures(
            place=place,
            rank=None if is_unranked(mage) else rank,
            score=score,
            gained=gained.get(mage.mage_id, 0),
            battles=record.battles,
            form=record.form,
            rating=rating.rating if rating else None,
            is_provisional=rating is not None and rating.is_provisional,
        )
    return places


def _list_rises(old: Mapping[int, Sequence[Any]], places: Mapping[int, PlaceFigures]) -> Iterator[Rise]:
    """Yield the mages who gained points and a better rank; nobody rises because others leave or lose."""
    for mage, figures in old.items():
        before, now = PlaceFigures(*figures), places.get(mage)
        if now and now.rank and before.rank and now.rank < before.rank and now.score > before.score:
            yield Rise(mage, now.rank)


def _store(
    kind: str, ruleset: str, retired: bool, places: Mapping[int, PlaceFigures], seen: HighestKeys, *, now: datetime
) -> int:
    """Store the places that changed and the time of the refresh; return how many changed."""
    with transaction.atomic():
        ladder, _ = Ladder.objects.get_or_create(
            kind=kind, ruleset=ruleset, retired=retired, defaults={"as_of": now, "mages": 0}
        )
        ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)
        rows = LadderPlace.objects.filter(ladder=ladder).values_list("mage", *PlaceFigures._fields)
        old = {mage: figures for mage, *figures in rows.iterator(chunk_size=AT_A_TIME)}
        if not ruleset and not retired:
            write_news_of_ranks(kind=kind, rises=_list_rises(old, places), now=now)
        changed = [
            LadderPlace(ladder=ladder, mage_id=mage, **figures._asdict())
            for mage, figures in places.items()
            if old.pop(mage, None) != [*figures]
        ]
        LadderPlace.objects.bulk_create(
            changed,
            batch_size=AT_A_TIME,
            update_conflicts=True,
            unique_fields=["ladder", "mage"],
            update_fields=PlaceFigures._fields,
        )
        gone = list(old)
        for at in range(0, len(gone), AT_A_TIME):
            LadderPlace.objects.filter(ladder=ladder, mage__in=gone[at : at + AT_A_TIME]).delete()
        ladder.as_of, ladder.last_entry, ladder.last_mage = now, seen.entry, seen.mage
        ladder.mages, ladder.ranked = len(places), sum(figures.rank is not None for figures in places.values())
        ladder.save(update_fields=["as_of", "mages", "ranked", "last_entry", "last_mage"])
    return len(changed) + len(gone)
