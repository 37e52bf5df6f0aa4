"""Computer opponents: five strengths that play every ruleset, knowing only what their mage knows.

>>> from rules_engine import KeyedDice, new_duel, read_orders
>>> from rules_engine.bots import choose_orders
>>> duel = new_duel("firetop-standard", ["Froodal", "Bung"], dice=KeyedDice("example"))
>>> lines = choose_orders(duel, mage="Bung", strength="Warder", seed="example")
>>> read_orders(duel, "Bung", "\\n".join(lines)).problems
()
>>> lines == choose_orders(duel, mage="Bung", strength="Warder", seed="example")
True
"""

from __future__ import annotations

from rules_engine.bots.advice import Explanation, Hint, MoveFacts, explain, hint
from rules_engine.bots.belief import PastTurn
from rules_engine.bots.seen import Seen, read_seen, see
from rules_engine.bots.strengths import LESSON, STRENGTHS, Strength, choose_orders, get_strength

__all__ = [
    "LESSON",
    "STRENGTHS",
    "Explanation",
    "Hint",
    "MoveFacts",
    "PastTurn",
    "Seen",
    "Strength",
    "choose_orders",
    "explain",
    "get_strength",
    "hint",
    "read_seen",
    "see",
]
