"""Accounts that have become one, or two again: ratings and records follow whose battles are whose now."""

from django.db import transaction
from django.db.models import Q

from accounts.models import UserMerge
from accounts.selectors import list_uncounted_merges
from accounts.services import mark_merge_counted
from ladder.models import BattleSide, Placing, ScoredBattle
from ladder.services.counting import ask_for_count
from ladder.services.rating import mark_ratings_stale


def count_merges(*, limit: int = 20) -> int:
    """Ask that the battles of merged or parted accounts be rated and counted again, each merge and each undoing once;
    return how many there were."""
    return sum(_count(merge) for merge in list_uncounted_merges(limit=limit))


def _count(merge: UserMerge) -> bool:
    with transaction.atomic():
        if not mark_merge_counted(merge=merge):
            return False
        mages, placings = (merge.moved.get(label, []) for label in ("accounts.Mage.user", "ladder.Placing.user"))
        concerned = Placing.objects.filter(Q(pk__in=placings) | Q(mage__in=mages))
        scored = ScoredBattle.objects.filter(placings__in=concerned).distinct()
        for kind in scored.order_by().values_list("kind", flat=True).distinct():
            first = scored.filter(kind=kind, is_rated=True).order_by("scored_at", "number").first()
            if first is not None:
                mark_ratings_stale(first)
        sides = BattleSide.objects.filter(Q(mage__in=mages) | Q(battle__number__in=scored.values("number")))
        for number in sorted({*scored.values_list("number", flat=True), *sides.values_list("number", flat=True)}):
            ask_for_count(battle=number)
    return True
