"""Read and write the score rows of locked mages."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Sum

from accounts.models import Mage, User
from ladder.models import ScoreEntry, ScoreKind
from ladder.scoring import ScoreChange


def lock_mages(mage_ids: Iterable[int]) -> list[Mage]:
    """Lock the mages in the order of their ids, so that two battles never read the same score."""
    return list(Mage.objects.select_for_update(of=("self",)).filter(pk__in=set(mage_ids)).order_by("pk"))


def lock_users(user_ids: Iterable[int]) -> None:
    """Lock the users in the order of their ids, after their mages, so that two battles never count the same wins."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=set(user_ids)).order_by("pk").values_list("pk"))


def sum_scores(mages: Collection[Mage], kind: str, *, apart_from: int | None = None) -> dict[str, int]:
    """Return the scores by name, without the rows of the battle `apart_from`, if given."""
    rows = ScoreEntry.objects.filter(mage__in=mages, kind=kind)
    if apart_from is not None:
        rows = rows.exclude(battle=apart_from)
    sums = dict(rows.values_list("mage").annotate(Sum("change")))
    return {mage.name: sums.get(mage.pk, 0) for mage in mages}


def write_row(mage: Mage, change: ScoreChange, *, kind: str, battle: int, now: datetime) -> ScoreEntry:
    return ScoreEntry.objects.create(
        mage=mage,
        kind=ScoreKind(kind),
        battle=battle,
        due=change.due,
        before=change.before,
        change=change.change,
        after=change.after,
        reason=change.reason,
        created_at=now,
    )


def recount_rows(*, mages: Collection[Mage], kind: str) -> None:
    """Recompute every row from the one before it: the change that is due, but no score falls below zero."""
    scores: dict[int, int] = {}
    for row in ScoreEntry.objects.filter(mage__in=mages, kind=kind).order_by("pk"):
        before = scores.get(row.mage_id, 0)
        change = max(row.due, -before)
        scores[row.mage_id] = before + change
        if (row.before, row.change) != (before, change):
            row.before, row.change, row.after = before, change, before + change
            row.save(update_fields=["before", "change", "after"])
