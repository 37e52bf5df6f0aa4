"""Scores of mages as the sums of their rows, for tests."""

from collections.abc import Iterable

from accounts.models import Mage
from ladder.selectors.scores import scores_by_kind


def score_of(mage: Mage, kind: str) -> int:
    """Return the duel or melee score of `mage`."""
    return scores_by_kind([mage.pk])[kind][mage.pk]


def scores_of(mages: Iterable[Mage], kind: str) -> dict[str, int]:
    """Return the scores of several mages by name."""
    return {mage.name: score_of(mage, kind) for mage in mages}
