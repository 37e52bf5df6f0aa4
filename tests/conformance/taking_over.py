"""Sets the engine's state to that of a record, after a turn that the engine cannot fully replay."""

from collections.abc import Callable, Mapping
from typing import Any

from rules_engine.beings import (
    CHOOSE_SPELL,
    CHOOSE_TARGET,
    DEAD,
    NO_MASTER,
    NOBODY,
    ORDERS,
    OUT,
    PERMANENT,
    READY,
    Being,
    Monster,
)
from rules_engine.dice import KeyedDice
from rules_engine.gestures import WAITED
from rules_engine.state import State
from rules_engine.steps import set_up_next_turn
from rules_engine.turn import Turn
from tests.conformance.engine_facts import ENCHANTMENT_OF_MARK
from tests.conformance.neutral_records import KINDS, PASSING, read_enchantments

Json = Mapping[str, Any]
MARK_OF_ENCHANTMENT = {name: mark for mark, name in ENCHANTMENT_OF_MARK.items()}


def take_over(state: State, after: Json, known: dict[str, str], name_spell: Callable[[str], str]) -> State:
    """A copy of `state` with the hit points, enchantments and creatures of a record's `after`.

    `known` maps the record's creatures to ours; creatures new to the engine are added.
    """
    state = state.copy()
    _settle_who_is_in(state, after["wizards"])
    for name, theirs in after["wizards"].items():
        wizard = state.wizards[name]
        if theirs["hp"] is not None:
            wizard.hp = theirs["hp"]
        if theirs["enchantments"] is None:
            continue
        _lay(wizard, theirs["enchantments"])
        if "forgetful" not in wizard.marks and wizard.phase in (CHOOSE_SPELL, CHOOSE_TARGET):
            wizard.phase = ORDERS  # no gestures are repeated
            wizard.left, wizard.right = wizard.left[:-1], wizard.right[:-1]
            wizard.forget_orders()
        if "quick_lightning_used" in theirs:
            wizard.short_bolt_used = bool(theirs["quick_lightning_used"])
        store = theirs.get("store")
        target = (store or {}).get("target") or NOBODY
        wizard.bank = (name_spell(store["spell"]), known.get(target, target)) if store else None
        wizard.paralyser = theirs.get("paralysed_by") or wizard.paralyser
        wizard.controller = theirs.get("charmed_by") or wizard.controller
    _settle_monsters(state, after["monsters"], known)
    return state


def _settle_who_is_in(state: State, wizards: Json) -> None:
    alive = {name for name, one in wizards.items() if one["alive"]}
    ended = state.outcome is not None
    for name, one in wizards.items():
        wizard = state.wizards[name]
        if one["alive"] and name in state.out:
            state.out.remove(name)
            wizard.phase, wizard.surrendered = ORDERS, False
        elif not one["alive"] and name not in state.out:
            state.out.append(name)
            wizard.phase, wizard.surrendered = (OUT, True) if one["surrendered"] else (DEAD, False)
            state.movers = tuple(mover for mover in state.movers if mover != name)
    if ended and len(alive) > 1:
        # The battle continues, so set up the next turn as it would have been.
        state.outcome = None
        turn = Turn(state, KeyedDice("taken over"))
        set_up_next_turn(turn)


def _lay(being: Being, enchantments: Json) -> None:
    theirs = read_enchantments(enchantments, frozenset())
    for mark, name in ENCHANTMENT_OF_MARK.items():
        if name not in theirs and name not in PASSING and mark in being.marks:
            del being.marks[mark]
    for name, count in theirs.items():
        if isinstance(count, int | str) and name in MARK_OF_ENCHANTMENT:
            being.marks[MARK_OF_ENCHANTMENT[name]] = PERMANENT if count == "permanent" else int(count)


def _settle_monsters(state: State, monsters: Any, known: dict[str, str]) -> None:
    theirs = {ours: name for name, ours in known.items()}
    there = {monster["id"]: monster for monster in monsters if monster["alive"]}
    for name in [name for name in state.monsters if theirs.get(name) not in there]:
        del state.monsters[name]
    for name, monster in there.items():
        kind = KINDS.get(monster["type"], monster["type"].title())
        if known.get(name) not in state.monsters:
            known[name] = kind if kind in KINDS.values() else f"Unseen{kind}{name[1:]}"
            state.monsters[known[name]] = Monster(known[name], kind, NO_MASTER, NOBODY)
        ours = state.monsters[known[name]]
        ours.hp, ours.controller = monster["hp"], monster["owner"] or NO_MASTER
        target = monster["target"] if isinstance(monster["target"], str) else NOBODY
        if kind not in KINDS.values():
            ours.target = known.get(target, target)
        if monster.get("enchantments") is not None:
            _lay(ours, monster["enchantments"])


def follow_record(state: State, label: str, movers: tuple[str, ...]) -> State:
    """The state before the turn with that label, in which only `movers` act."""
    if state.over or (state.label == label and set(state.owing) == set(movers) and not state.doubled):
        return state
    state = state.copy()
    state.turn, state.extra = int(label.rstrip("HT")), label.lstrip("0123456789")
    state.movers = tuple(name for name in state.wizards if name in movers and name not in state.out)
    state.doubled = False
    for name in state.still_in:
        wizard = state.wizards[name]
        wizard.again = None
        if name not in movers and wizard.phase != READY and state.extra:
            wizard.phase = READY
            wizard.left, wizard.right = wizard.left + WAITED, wizard.right + WAITED
        elif name in movers and wizard.phase == READY:
            wizard.phase = ORDERS
            wizard.left, wizard.right = wizard.left.removesuffix(WAITED), wizard.right.removesuffix(WAITED)
    return state
