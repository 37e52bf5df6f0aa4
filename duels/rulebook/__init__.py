"""The rules for readers: every spell of a ruleset with its gestures and a short description."""

from duels.rulebook.anchors import anchors_of_difference, find_place
from duels.rulebook.comparison import compare_rulesets, list_ways
from duels.rulebook.spells import ORDERS, list_sections, list_spells

__all__ = [
    "ORDERS",
    "anchors_of_difference",
    "compare_rulesets",
    "find_place",
    "list_sections",
    "list_spells",
    "list_ways",
]
