"""Rows of the ladder, by subject."""

from ladder.models.battles import BattleSide, CountDue, CountedBattle, Feat, SpellUse
from ladder.models.figures import EndingFigure, MageRecord, Opening, Pairing, SpellFigure
from ladder.models.scores import ScoredBattle, ScoreEntry, ScoreKind

__all__ = [
    "BattleSide",
    "CountDue",
    "CountedBattle",
    "EndingFigure",
    "Feat",
    "MageRecord",
    "Opening",
    "Pairing",
    "ScoreEntry",
    "ScoreKind",
    "ScoredBattle",
    "SpellFigure",
    "SpellUse",
]
