"""Spells that took hold and then came to nothing in the same turn: no event says so, but those of the turn show it.

It reads only the events that it is given: those that one viewer learnt, or all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from rules_engine.beings import ENCHANTMENTS, is_creature
from rules_engine.events import Event
from rules_engine.minds import MIND_SPELLS
from rules_engine.rulesets import SPELL_MARKS

GIVES_WAY: Final = ("undone", "gives_way")
REMOVED: Final = ("undone", "removed")
CURED: Final = ("undone", "cured")
DESTROYED: Final = ("undone", "destroyed")
OUT_OF_TURN: Final = ("undone", "out_of_turn")
HELD_BACK: Final = ("undone", "held_back")

# What Remove Enchantment ends on its subject. Shield comes after it, and a Counter Spell stops it.
_REMOVABLE: Final = frozenset(
    spell for spell, mark in SPELL_MARKS.items() if mark in (*ENCHANTMENTS, "charmer") and spell != "Shield"
)
_TAKES_HOLD: Final = ("works", "same_hand", "hits", "heals")
# Powers that may be used in the turn of getting them.
_POWERS: Final = ("Permanency", "Delay Effect")
# What keeps a creature from attacking.
_HELD: Final = ("paralysed", "amnesia", "afraid", "maladroit", "stunned")
# Spells that destroy a creature at once, and outcomes of others that do, with the fact that names it. A creature that
# only begins to fall apart still feels what else is cast on it.
_DESTROYERS: Final = ("Blindness", "Invisibility", "Resist Heat", "Resist Cold")
_DESTROYED_BY: Final = {"engulfs": "creature", "spent_on_elemental": "creature"}


class Undone(NamedTuple):
    """What undid a spell: the key of the event, and why, as a key of `reasons.NOTHING` and `summary_sentences.WHY`.

    `clause` is the rule behind it, `target` the being on which the spell came to nothing.
    """

    key: int
    reason: tuple[str, str]
    clause: str
    target: str


def list_effects(turn: Mapping[int, Event], cast: int) -> Iterator[int]:
    """Yield the keys of what a cast did itself, even after a mirror. `turn` has its events by key, in order."""
    led = {cast}
    for key, event in turn.items():
        if event.kind in ("spell", "reflected") and event.cause and event.cause[0] in led:
            led.add(key)
            if event.kind == "spell":
                yield key


def find_end(turn: Mapping[int, Event], effect: int) -> Undone | None:
    """Return what undid the effect of a spell later in its turn; None if nothing did.

    `effect` is the key of the event in which the spell took hold; `turn` has the turn's events by key, in order.
    """
    event = turn[effect]
    if event.kind != "spell" or event.facts["outcome"] not in _TAKES_HOLD:
        return None
    spell, target = str(event.facts["spell"]), str(event.facts["target"])
    if spell == "Time Stop" and is_creature(target) and _is_extra(turn):
        return Undone(effect, OUT_OF_TURN, event.clause, target)
    for key, later in turn.items():
        if key <= effect:
            continue
        if later.kind == "recovers" and effect in later.cause[1:]:
            return Undone(key, CURED, later.clause, target)
        if effect in later.cause:
            return None  # it did something
    for key, later in turn.items():
        reason = _find_reason(turn, spell, target, later) if key > effect else None
        if reason is not None:
            return Undone(key, reason, _CLAUSES.get(reason, later.clause), target)
    return None


_CLAUSES: Final = {GIVES_WAY: "FM-PARA-9", REMOVED: "FM-REMENCH-3"}


def _find_reason(turn: Mapping[int, Event], spell: str, target: str, later: Event) -> tuple[str, str] | None:
    facts = later.facts
    if later.kind == "evaporates" and facts["who"] == target:
        return DESTROYED
    if later.kind == "attack_missed" and facts["who"] == target and facts["result"] in _HELD:
        return HELD_BACK if spell == "Time Stop" else None  # it would have attacked again in this turn alone
    if later.kind != "spell":
        return None
    by, outcome = str(facts["spell"]), str(facts["outcome"])
    if facts.get(_DESTROYED_BY.get(outcome, "")) == target:
        return DESTROYED
    if facts["target"] != target:
        return None
    if by in _DESTROYERS and outcome == "destroys":
        return DESTROYED
    if by == "Remove Enchantment" and outcome in ("works", "destroys") and spell in _REMOVABLE:
        return None if spell in _POWERS and _uses_power(turn, target) else REMOVED
    if spell == "Paralysis" and by != spell and by in MIND_SPELLS and outcome in ("works", "no_effect_on_kind"):
        return GIVES_WAY
    return None


def _is_extra(turn: Mapping[int, Event]) -> bool:
    return any(each.facts["extra"] for each in turn.values() if each.kind == "turn_begins")


def _uses_power(turn: Mapping[int, Event], mage: str) -> bool:
    return any(
        each.facts["who"] == mage and (each.kind == "banks" or each.facts["permanent"])
        for each in turn.values()
        if each.kind in ("banks", "casts")
    )
