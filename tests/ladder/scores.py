"""Scores of mages as the sums of their rows, for tests."""

from collections.abc import Iterable

from django.db.models import Sum

from accounts.models import Mage
from ladder.models import ScoreEntry


def score_of(mage: Mage, kind: str) -> int:
    """Return the mage's score of this kind."""
    return ScoreEntry.objects.filter(mage=mage, kind=kind).aggregate(score=Sum("change"))["score"] or 0


def scores_of(mages: Iterable[Mage], kind: str) -> dict[str, int]:
    """Return the scores of several mages by name."""
    return {mage.name: score_of(mage, kind) for mage in mages}
