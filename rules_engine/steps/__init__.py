"""The steps of a turn, each named after a paragraph of the rules. Rulesets put them in order."""

from rules_engine.steps.ending import drop_late_mages
from rules_engine.steps.next_turn import join_pairs, set_up_next_turn
from rules_engine.steps.taking_orders import take_orders

__all__ = [
    "drop_late_mages",
    "join_pairs",
    "set_up_next_turn",
    "take_orders",
]
