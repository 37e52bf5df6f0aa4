"""The rules as a reader wants them: every spell of a ruleset with its gestures and what it does, in short words."""

from duels.rulebook.comparing import Comparison, SpellPair, compare_rulesets
from duels.rulebook.kin import Way, list_ways
from duels.rulebook.listing import ORDERS, BookSpell, list_sections, list_spells
from duels.rulebook.places import anchors_of_difference, find_place

__all__ = [
    "ORDERS",
    "BookSpell",
    "Comparison",
    "SpellPair",
    "Way",
    "anchors_of_difference",
    "compare_rulesets",
    "find_place",
    "list_sections",
    "list_spells",
    "list_ways",
]
