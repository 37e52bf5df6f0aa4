"""Requests to count battles: which are due, and why a new rating makes one due again."""

import math
from collections.abc import Collection
from datetime import datetime

from django.db.models import F

from ladder.models import BattleSide, CountDue, RatingEntry

# Up to, and the band below.
BANDS = (
    (1400, BattleSide.Band.LOW),
    (1600, BattleSide.Band.MIDDLE),
    (math.inf, BattleSide.Band.HIGH),
)


def ask_for_count(*, battle: int) -> None:
    """Request that a battle be counted, recounted or removed, as its rows then require. Call it in the transaction that
    changes the result."""
    _ask_for_counts([battle])


def _ask_for_counts(battles: Collection[int]) -> None:
    CountDue.objects.bulk_create([CountDue(battle=each, times=0) for each in battles], ignore_conflicts=True)
    CountDue.objects.filter(battle__in=battles).update(times=F("times") + 1, tried_at=None)


def ask_for_counts_of_bands(*, entries: Collection[RatingEntry]) -> None:
    """Request that battles be recounted whose new rating entries put a user into another band. Call it in the
    transaction that rates them."""
    numbers = {entry.battle for entry in entries}
    counted = BattleSide.objects.filter(number__in=numbers, kind="duel").values_list("number", "user_id", "band")
    known = {(number, user): band for number, user, band in counted}
    moved = {
        entry.battle
        for entry in entries
        if entry.kind != "melee" and known.get((entry.battle, entry.user_id)) != find_band(entry.rating_before)
    }
    if moved:
        _ask_for_counts(sorted(moved))


def find_band(rating: float) -> str:
    return next(band for limit, band in BANDS if rating < limit)


def postpone_count(*, battle: int, now: datetime) -> None:
    """Move a battle that cannot be read behind the others."""
    CountDue.objects.filter(battle=battle).update(tried_at=now)
