"""The only code that changes rows of the ladder."""

from ladder.services.counting import ask_for_count, count_battle, forget_all_counts, postpone_count, take_out_battle
from ladder.services.results import apply_penalty, apply_result

__all__ = [
    "apply_penalty",
    "apply_result",
    "ask_for_count",
    "count_battle",
    "forget_all_counts",
    "postpone_count",
    "take_out_battle",
]
