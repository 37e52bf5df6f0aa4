"""The only code that changes scores, ratings, statistics and ladders.

Scores: `apply_results` writes rows, `revise_results` corrects them, `revision_log` keeps what that replaces. A mage's
rows count in the order in which they were written. Locks are taken on the battle's row, then on its mages by id.
Ratings: `rate_battles` decides what to rate, `rating_storage` reads and writes it.
Statistics: `count_requests` lists the battles to count; `count_battles` adds one to the `totals` and `record_tallies`.
"""

from ladder.services.apply_results import apply_penalty, apply_result
from ladder.services.count_battles import count_battle, forget_all_counts, take_out_battle
from ladder.services.count_requests import ask_for_count, postpone_count
from ladder.services.janitor_reports import report_disagreements, watch_pairs
from ladder.services.rate_battles import rate_battles, rebuild_ratings
from ladder.services.recount_merges import recount_merges
from ladder.services.refresh_ladders import refresh_ladders
from ladder.services.revise_results import annul_result, correct_result, reopen_result, restore_result

__all__ = [
    "annul_result",
    "apply_penalty",
    "apply_result",
    "ask_for_count",
    "correct_result",
    "count_battle",
    "forget_all_counts",
    "postpone_count",
    "rate_battles",
    "rebuild_ratings",
    "recount_merges",
    "refresh_ladders",
    "reopen_result",
    "report_disagreements",
    "restore_result",
    "take_out_battle",
    "watch_pairs",
]
