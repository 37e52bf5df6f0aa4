"""Rules engine."""

from __future__ import annotations

from rules_engine.audience import Enchantment, MageView, MonsterView, View, look
from rules_engine.battle import Asks, Done, advance, new_duel
from rules_engine.beings import State
from rules_engine.dice import Dice, KeyedDice, ScriptedDice
from rules_engine.errors import IllegalOrders, InvalidOrders, OrdersMissing, Problem, RulesError
from rules_engine.events import Event, Viewer, read_event, visible_events, write_event
from rules_engine.orders import Sheet
from rules_engine.outcome import Outcome, read_outcome, write_outcome
from rules_engine.questions import Option, Question, is_complete, open_questions
from rules_engine.rulesets import RULESETS, Ruleset, get_ruleset
