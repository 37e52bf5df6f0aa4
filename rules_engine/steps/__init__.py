"""The steps of a turn, each named after a paragraph of the rules. Rulesets put them in order."""

from rules_engine.steps.ending import drop_late_mages
from rules_engine.steps.next_turn import blank_minds, clear_orders, cut_strings, join_pairs, pick_next_turn, run_clocks
from rules_engine.steps.taking_orders import take_orders

__all__ = [
    "blank_minds",
    "clear_orders",
    "cut_strings",
    "drop_late_mages",
    "join_pairs",
    "pick_next_turn",
    "run_clocks",
    "take_orders",
]
