"""The rules as a reader wants them: every spell of a ruleset with its gestures and what it does, in short words."""

from duels.rulebook.listing import ORDERS, BookSpell, list_spells

__all__ = ["ORDERS", "BookSpell", "list_spells"]
