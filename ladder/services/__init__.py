"""The only code that changes scores. Every change is a row, and a correction keeps what it replaces.

A mage's rows count in the order in which they were written. Locks are taken on the battle's row, then on its mages by
id.
"""

from ladder.services.apply_results import apply_penalty, apply_result
from ladder.services.count_battles import count_battle, count_merges, forget_all_counts, take_out_battle
from ladder.services.count_requests import ask_for_count, postpone_count
from ladder.services.janitor_reports import report_disagreements, watch_pairs
from ladder.services.rate_battles import rate_battles, rebuild_ratings
from ladder.services.refresh_ladders import refresh_ladders
from ladder.services.revise_results import annul_result, correct_result, reopen_result, restore_result

__all__ = [
    "annul_result",
    "apply_penalty",
    "apply_result",
    "ask_for_count",
    "correct_result",
    "count_battle",
    "count_merges",
    "forget_all_counts",
    "postpone_count",
    "rate_battles",
    "rebuild_ratings",
    "refresh_ladders",
    "reopen_result",
    "report_disagreements",
    "restore_result",
    "take_out_battle",
    "watch_pairs",
]
