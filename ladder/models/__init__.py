"""Rows of the ladder, by subject."""

from ladder.models.scores import ScoredBattle, ScoreEntry, ScoreKind

__all__ = ["ScoreEntry", "ScoreKind", "ScoredBattle"]
