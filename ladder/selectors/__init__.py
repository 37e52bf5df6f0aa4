"""Reading standings, records and figures."""

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
    "Record",
    "Standing",
    "describe",
    "describe_mages",
    "describe_users",
    "find_disagreements",
    "list_score_entries",
    "score_of",
    "scores_of",
    "standings",
    "total_score_of",
]
