"""Rows of the ladder, by subject."""

from ladder.models.results import Placing, Remembrance, ScoredBattle, Stakes
from ladder.models.revisions import RevisedEntry, ScoreRevision
from ladder.models.scores import ScoreEntry, ScoreKind

__all__ = [
    "Placing",
    "Remembrance",
    "RevisedEntry",
    "ScoreEntry",
    "ScoreKind",
    "ScoreRevision",
    "ScoredBattle",
    "Stakes",
]
