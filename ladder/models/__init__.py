"""Models of the ladder, by subject."""

from ladder.models.battles import BattleSide, CountDue, CountedBattle, Feat, SpellUse
from ladder.models.ladders import Ladder, LadderPlace
from ladder.models.pair_watch import PairWatch
from ladder.models.ratings import RatingEntry, RatingKind, RatingLock, StaleRating, UserRating
from ladder.models.results import Placing, Remembrance, ScoredBattle, Stakes
from ladder.models.scores import RevisedEntry, ScoreEntry, ScoreKind, ScoreRevision
from ladder.models.statistics import EndingFigure, MageRecord, Opening, OpeningReply, Pairing, SpellFigure

__all__ = [
    "BattleSide",
    "CountDue",
    "CountedBattle",
    "EndingFigure",
    "Feat",
    "Ladder",
    "LadderPlace",
    "MageRecord",
    "Opening",
    "OpeningReply",
    "PairWatch",
    "Pairing",
    "Placing",
    "RatingEntry",
    "RatingKind",
    "RatingLock",
    "Remembrance",
    "RevisedEntry",
    "ScoreEntry",
    "ScoreKind",
    "ScoreRevision",
    "ScoredBattle",
    "SpellFigure",
    "SpellUse",
    "Stakes",
    "StaleRating",
    "UserRating",
]
