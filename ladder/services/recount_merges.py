"""Requests to rate and count battles again after two accounts were merged, or separated again."""

from django.db import transaction
from django.db.models import Q

from accounts.models import UserMerge
from accounts.selectors.users import list_uncounted_merges
from accounts.services.users import mark_merge_counted
from ladder.models import BattleSide, Placing, ScoredBattle
from ladder.rating import KINDS
from ladder.services.count_requests import ask_for_count
from ladder.services.rate_battles import mark_ratings_stale
from ladder.services.rating_rows import of_kind

AT_ONCE = 20


def recount_merges() -> int:
    """Request that the battles of merged or separated accounts be rated and counted again, once for each merge or undo;
    return how many there were."""
    return sum(_recount(merge) for merge in list_uncounted_merges(limit=AT_ONCE))


def _recount(merge: UserMerge) -> bool:
    with transaction.atomic():
        if not mark_merge_counted(merge=merge):
            return False
        mages, placings = (merge.moved.get(label, []) for label in ("accounts.Mage.user", "ladder.Placing.user"))
        concerned = Placing.objects.filter(Q(pk__in=placings) | Q(mage__in=mages))
        scored = ScoredBattle.objects.filter(placings__in=concerned).distinct()
        for kind in KINDS:
            first = scored.filter(of_kind(kind), is_rated=True).order_by("scored_at", "number").first()
            if first is not None:
                mark_ratings_stale(first)
        sides = BattleSide.objects.filter(Q(mage__in=mages) | Q(battle__number__in=scored.values("number")))
        for number in sorted({*scored.values_list("number", flat=True), *sides.values_list("number", flat=True)}):
            ask_for_count(battle=number)
    return True
