"""Reading standings, records and figures."""

from ladder.selectors.ratings import (
    RatingStanding,
    describe_rating,
    find_rating,
    list_rating_entries,
    list_remembered,
    shown_deviation,
    shown_rating,
)
from ladder.selectors.scores import (
    Disagreement,
    Record,
    Standing,
    describe,
    describe_mages,
    describe_users,
    find_disagreements,
    list_score_entries,
    score_of,
    scores_of,
    standings,
    total_score_of,
)

__all__ = [
    "Disagreement",
    "RatingStanding",
    "Record",
    "Standing",
    "describe",
    "describe_mages",
    "describe_rating",
    "describe_users",
    "find_disagreements",
    "find_rating",
    "list_rating_entries",
    "list_remembered",
    "list_score_entries",
    "score_of",
    "scores_of",
    "shown_deviation",
    "shown_rating",
    "standings",
    "total_score_of",
]
