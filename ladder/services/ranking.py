"""Putting the ladders in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import Max, Sum

from accounts.models import Engagement, Mage
from ladder.models import Ladder, LadderPlace, MageRecord, ScoreEntry, ScoreKind, UserRating
from ladder.selectors.ratings import RatingStanding, describe_rating

Ratings = Mapping[int, RatingStanding]

WEEK = timedelta(days=7)
AT_A_TIME = 2000
FIGURES = ("place", "rank", "score", "gained", "battles", "form", "rating", "is_provisional")
# Free before in a challenge before in a battle (firetop-server 5.6).
BUSY = {None: 0, Engagement.Kind.CHALLENGE.value: 1, Engagement.Kind.BATTLE.value: 2}


@dataclass(frozen=True)
class Contender:
    """A living mage, as far as the order of a ladder asks."""

    mage_id: int
    name: str
    user_id: int
    user_name: str
    busy: str | None
    is_retired: bool


@dataclass(frozen=True)
class Seen:
    """The highest keys of the rows that an order of the ladders has seen."""

    entry: int
    mage: int


def refresh_ladders(*, now: datetime) -> int:
    """Put every ladder in order as of `now`; return how many places changed. Readers see the old order or the new."""
    seen = Seen(*(_last(model) for model in (ScoreEntry, Mage)))
    contenders = _list_contenders()
    rulesets = MageRecord.objects.exclude(ruleset="").order_by().values_list("ruleset", flat=True).distinct()
    changed = 0
    for kind in ScoreKind.values:
        records = {(row.mage_id, row.ruleset): row for row in MageRecord.objects.filter(kind=kind)}
        gained = _sum_changes(kind, since=now - WEEK)
        scores = _sum_changes(kind)
        ratings = _read_ratings(kind, now)
        everywhere = {mage: row for (mage, ruleset), row in records.items() if not ruleset}
        for retired in (False, True):
            here = [mage for mage in contenders if mage.is_retired == retired]
            places = _place(here, scores, gained, everywhere, ratings)
            changed += _store(kind, "", retired, places, seen, now=now)
        for ruleset in sorted(rulesets):
            fought = {mage: row for (mage, name), row in records.items() if name == ruleset}
            here = [mage for mage in contenders if mage.mage_id in fought and not mage.is_retired]
            places = _place(here, {mage: row.points for mage, row in fought.items()}, {}, fought, ratings)
            changed += _store(kind, ruleset, False, places, seen, now=now)
    return changed


def _last(model: type[models.Model]) -> int:
    return model._default_manager.aggregate(last=Max("pk"))["last"] or 0


def _list_contenders() -> list[Contender]:
    rows = Mage.objects.filter(died_at=None).values_list(
        "pk", "name", "user_id", "user__username", "engagement__kind", "retired_at"
    )
    return [Contender(*row[:5], row[5] is not None) for row in rows.iterator(chunk_size=AT_A_TIME)]


def _read_ratings(kind: str, now: datetime) -> Ratings:
    rows = UserRating.objects.filter(kind=kind).iterator(chunk_size=AT_A_TIME)
    return {row.user_id: describe_rating(row, today=now.date()) for row in rows}


def _sum_changes(kind: str, *, since: datetime | None = None) -> dict[int, int]:
    rows = ScoreEntry.objects.filter(kind=kind, mage__died_at=None)
    recent = rows if since is None else rows.filter(created_at__gte=since)
    return dict(recent.order_by().values_list("mage").annotate(Sum("change")))


def _place(
    mages: Iterable[Contender],
    scores: Mapping[int, int],
    gained: Mapping[int, int],
    records: Mapping[int, MageRecord],
    ratings: Ratings,
) -> list[LadderPlace]:
    """Return the places without their ladder, highest score first, then as the honour roll has it."""
    ordered = sorted(
        mages,
        key=lambda mage: (-scores.get(mage.mage_id, 0), BUSY[mage.busy], mage.user_name.lower(), mage.name.lower()),
    )
    places, rank, last = list[LadderPlace](), 0, None
    for place, mage in enumerate(ordered, start=1):
        score, record = scores.get(mage.mage_id, 0), records.get(mage.mage_id)
        rank, last = (rank, last) if score == last else (place, score)
        places.append(
            LadderPlace(
                mage_id=mage.mage_id,
                place=place,
                rank=rank,
                score=score,
                gained=gained.get(mage.mage_id, 0),
                battles=record.battles if record else 0,
                form=record.form if record else "",
                rating=ratings[mage.user_id].rating if mage.user_id in ratings else None,
                is_provisional=mage.user_id in ratings and ratings[mage.user_id].is_provisional,
            )
        )
    return places


def _store(kind: str, ruleset: str, retired: bool, places: list[LadderPlace], seen: Seen, *, now: datetime) -> int:
    """Write the places that changed, and the time of the ladder; say how many."""
    with transaction.atomic():
        ladder, _ = Ladder.objects.get_or_create(
            kind=kind, ruleset=ruleset, retired=retired, defaults={"as_of": now, "mages": 0}
        )
        ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)
        old = {row[0]: row[1:] for row in LadderPlace.objects.filter(ladder=ladder).values_list("mage", *FIGURES)}
        changed = []
        for place in places:
            place.ladder = ladder
            if old.pop(place.mage_id, None) != tuple(getattr(place, figure) for figure in FIGURES):
                changed.append(place)
        for at in range(0, len(changed), AT_A_TIME):
            LadderPlace.objects.bulk_create(
                changed[at : at + AT_A_TIME],
                update_conflicts=True,
                unique_fields=["ladder", "mage"],
                update_fields=list(FIGURES),
            )
        gone = list(old)
        for at in range(0, len(gone), AT_A_TIME):
            LadderPlace.objects.filter(ladder=ladder, mage__in=gone[at : at + AT_A_TIME]).delete()
        ladder.as_of, ladder.mages, ladder.last_entry, ladder.last_mage = now, len(places), seen.entry, seen.mage
        ladder.save(update_fields=["as_of", "mages", "last_entry", "last_mage"])
    return len(changed) + len(gone)
