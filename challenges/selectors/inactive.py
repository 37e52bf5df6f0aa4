"""Find the mages and challenges that are due for an inactivity check, and the facts that it needs."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Max, Sum

from accounts.models import Mage
from challenges.models import Challenge
from ladder.models import ScoreEntry


def list_mages_to_check(*, now: datetime, limit: int) -> list[Mage]:
    """Return the living mages who are due for a check, the longest due first, each with its user."""
    due = Mage.objects.filter(
        died_at=None, user__bot_strength="", user__is_guest=False, idle_check_at__lte=now
    ).select_related("user")
    return list(due.order_by("idle_check_at", "pk")[:limit])


def list_challenges_to_check(*, now: datetime, limit: int) -> list[Challenge]:
    """Return the open challenges that are due for a check, the longest due first. Those of bots stay open."""
    due = Challenge.objects.filter(status=Challenge.Status.OPEN, bot_pace="", stale_check_at__lte=now)
    return list(due.select_related("challenger__user").order_by("stale_check_at", "pk")[:limit])


def read_total_scores(mage_ids: Iterable[int]) -> dict[int, int]:
    """Return the duel and melee score of each mage together; a mage without any is left out."""
    rows = ScoreEntry.objects.filter(mage__in=list(mage_ids)).values("mage").annotate(score=Sum("change"))
    return {row["mage"]: row["score"] for row in rows}


def find_best_retired_score() -> int:
    """Return the highest total score of a retired mage; 0 if there is none."""
    retired = ScoreEntry.objects.filter(mage__died_at=None, mage__retired_at__isnull=False)
    sums = retired.values("mage").annotate(score=Sum("change"))
    return sums.aggregate(best=Max("score"))["best"] or 0
