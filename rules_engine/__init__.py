"""The rules of Waving Hands as Firetop Mountain played it: a duel is a value, a turn is a function.

Two mages, two turns:

>>> from rules_engine import KeyedDice, Viewer, advance, look, narrate, new_duel, read_orders, use_language
>>> duel = new_duel("firetop-standard", ["Froodal", "Bung"], dice=KeyedDice("example"))
>>> duel.label, duel.owing
('1', ('Froodal', 'Bung'))

Orders are text, read in the view of the mage who writes them:

>>> def sheets(duel, **orders):
...     return {mage: read_orders(duel, mage, text).sheet for mage, text in orders.items()}
>>> first = advance(duel, sheets(duel, Froodal="S/W", Bung="LH P; a shield\\nRH S\\nEND"), KeyedDice("example", 1))
>>> second = advance(first.state, sheets(first.state, Froodal="D/W", Bung="W/S"), KeyedDice("example", 2))

Events are facts with an audience. Sentences are written for one reader:

>>> for event in second.events[3:]:
...     print(narrate(event, "Bung"))
Froodal casts Magic Missile at you.
Magic Missile hits you.
You lose 1 hit point to Magic Missile.

Sentences are in English, or in the reader's language:

>>> with use_language("de"):
...     print(narrate(second.events[-1], "Bung"))
Du verlierst 1 Lebenspunkt durch Magisches Geschoss.

Everyone looks at the state through one filter, and looking never changes it:

>>> look(second.state, Viewer.of("Froodal")).mage("Bung").hp
14
>>> look(first.state, Viewer.spectator()).mage("Bung").hp
15
>>> read_orders(second.state, "Bung", "LH Q\\nTARGT RH Froodal").problems[1].nearest
'TARGET RH Froodal'
"""

from __future__ import annotations

from rules_engine.audience import Enchantment, MageView, MonsterView, View, known_beings, look
from rules_engine.battle import Asks, Done, advance, new_duel
from rules_engine.beings import NOBODY
from rules_engine.causes import Causes, Learnt, Memory
from rules_engine.dangers import Danger, Defence, Weight, find_dangers
from rules_engine.dice import Dice, KeyedDice, ScriptedDice
from rules_engine.errors import (
    BattleOver,
    IllegalOrders,
    InvalidOrders,
    OrdersMissing,
    OrdersRejected,
    Problem,
    RulesError,
    UnknownRuleset,
    UnknownState,
    UnrecordedRoll,
)
from rules_engine.events import HURTING, Event, Viewer, read_event, visible_events, write_event
from rules_engine.explanations import Reason, Result, explain_event, explain_spell, explain_turn, sum_up_spell
from rules_engine.gestures import ALL_HANDS, HANDS
from rules_engine.glossary import name_creature, name_enchantment, name_gesture, name_spell
from rules_engine.hints import (
    Becoming,
    KeyHint,
    Preview,
    Warning,
    find_summoning_hands,
    find_warnings,
    growing,
    preview,
    threats,
)
from rules_engine.narration import name_form, narrate, narrate_all
from rules_engine.notation import Read, read_orders, write_orders
from rules_engine.orders import Sheet
from rules_engine.outcome import (
    AGREED,
    CALLED_OFF,
    DECIDED,
    ENDED_BY_CUP,
    ENDED_BY_LEAGUE,
    NO_RESULT,
    Outcome,
    read_outcome,
    write_outcome,
)
from rules_engine.questions import Option, Question, complete_surrender, is_complete, open_questions
from rules_engine.rulesets import RULESETS, Choice, Difference, Ruleset, get_ruleset
from rules_engine.state import State
from rules_engine.store import read_state, write_state
from rules_engine.summary import Bead, Summary, SummaryLine, summarize
from rules_engine.text import set_language_source, use_language
from rules_engine.uncast_spells import explain_uncast

__all__ = [
    "AGREED",
    "ALL_HANDS",
    "CALLED_OFF",
    "DECIDED",
    "ENDED_BY_CUP",
    "ENDED_BY_LEAGUE",
    "HANDS",
    "HURTING",
    "NOBODY",
    "NO_RESULT",
    "RULESETS",
    "Asks",
    "BattleOver",
    "Bead",
    "Becoming",
    "Causes",
    "Choice",
    "Danger",
    "Defence",
    "Dice",
    "Difference",
    "Done",
    "Enchantment",
    "Event",
    "IllegalOrders",
    "InvalidOrders",
    "KeyHint",
    "KeyedDice",
    "Learnt",
    "MageView",
    "Memory",
    "MonsterView",
    "Option",
    "OrdersMissing",
    "OrdersRejected",
    "Outcome",
    "Preview",
    "Problem",
    "Question",
    "Read",
    "Reason",
    "Result",
    "RulesError",
    "Ruleset",
    "ScriptedDice",
    "Sheet",
    "State",
    "Summary",
    "SummaryLine",
    "UnknownRuleset",
    "UnknownState",
    "UnrecordedRoll",
    "View",
    "Viewer",
    "Warning",
    "Weight",
    "advance",
    "complete_surrender",
    "explain_event",
    "explain_spell",
    "explain_turn",
    "explain_uncast",
    "find_dangers",
    "find_summoning_hands",
    "find_warnings",
    "get_ruleset",
    "growing",
    "is_complete",
    "known_beings",
    "look",
    "name_creature",
    "name_enchantment",
    "name_form",
    "name_gesture",
    "name_spell",
    "narrate",
    "narrate_all",
    "new_duel",
    "open_questions",
    "preview",
    "read_event",
    "read_orders",
    "read_outcome",
    "read_state",
    "set_language_source",
    "sum_up_spell",
    "summarize",
    "threats",
    "use_language",
    "visible_events",
    "write_event",
    "write_orders",
    "write_outcome",
    "write_state",
]
