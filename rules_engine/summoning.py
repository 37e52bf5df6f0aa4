"""Effects that bring something into the circle: summoned creatures, elementals, and the dead."""

from __future__ import annotations

from rules_engine.beings import (
    BORN,
    ELEMENTALS,
    FIRE_ELEMENTAL,
    GONE,
    ICE_ELEMENTAL,
    MONSTER_HP,
    NO_MASTER,
    NOBODY,
    ORDERS,
    WIZARD_HP,
    Monster,
    Wizard,
)
from rules_engine.effects import find_target
from rules_engine.rules import CreatureOwner
from rules_engine.spells import Cast
from rules_engine.state import State
from rules_engine.steps.casting import destroy
from rules_engine.turn import SpellEffect, Turn

# -- the dead -------------------------------------------------------------------------------------------------------


def raise_dead(turn: Turn, cast: Cast) -> None:
    """Heal the living by five; bring back dead monsters and mages (FM-RAISE; spec: engine 5.5)."""
    state, name = turn.state, cast.target
    if state.is_live(name):
        _raise_the_living(turn, cast)
    elif name in (FIRE_ELEMENTAL, ICE_ELEMENTAL) and not turn.rules.elementals_can_be_raised:
        turn.report_effect(cast, "not_raised", "SC-PROT-3")
    elif name in state.wizards:
        _raise_wizard(turn, cast, state.wizards[name])
    elif name in state.tombstone:
        _raise_monster(turn, cast)
    else:
        turn.report_effect(cast, "target_gone", because=turn.sources.get(name, ()))


def _raise_the_living(turn: Turn, cast: Cast) -> None:
    again = cast.target in turn.raised_by
    being = find_target(turn, cast)
    if isinstance(being, Monster) and again and being.controller != cast.caster:
        being.controller = being.target = NOBODY
        turn.report_effect(cast, "contested", felt=True, because=being.origins.get(BORN, ()))
    else:
        turn.report_effect(cast, "heals", "FM-RAISE-11", felt=again)
    turn.record_blow(cast.target, "risen")


def _raise_wizard(turn: Turn, cast: Cast, wizard: Wizard) -> None:
    state = turn.state
    if wizard.hp > 0:  # surrendered, not dead (spec: engine 5.5)
        turn.report_effect(cast, "not_dead", because=wizard.origins.get(GONE, ()))
        return
    state.out = [name for name in state.out if name != wizard.name]
    wizard.hp = WIZARD_HP
    wizard.phase = ORDERS
    if turn.rules.raised_starts_afresh:
        wizard.surrendered = False
    turn.report_effect(cast, "raises")


def _raise_monster(turn: Turn, cast: Cast) -> None:
    state, name = turn.state, cast.target
    at = state.tombstone.index(name)
    state.tombstone = [*state.tombstone[:at], *state.tombstone[at + 1 :]]
    kind = _kind_of(name)
    if kind in (FIRE_ELEMENTAL, ICE_ELEMENTAL):
        _bring_elemental(turn, cast, kind, raised=True)
    else:
        state.monsters[name] = monster = Monster(name, kind, cast.caster, turn.foe_of(cast.caster, name))
        state.created += 1
        turn.report_effect(cast, "raises")
        turn.record_mark(monster, BORN)
    if name in state.monsters:
        turn.record_birth(cast.summoner, cast.hand, name)
        turn.raised_by = {**turn.raised_by, name: cast.caster}


def find_raisable(state: State) -> dict[str, str]:
    """Return the kinds of the dead creatures that a Raise Dead brings back → one of that kind, the strongest first."""
    found: dict[str, str] = {}
    for name in sorted(state.tombstone, key=lambda name: -MONSTER_HP[_kind_of(name)]):
        kind = _kind_of(name)
        if kind not in ELEMENTALS or state.ruleset.rules.elementals_can_be_raised:
            found.setdefault(kind, name)
    return found


def _kind_of(name: str) -> str:
    return next(kind for kind in (FIRE_ELEMENTAL, ICE_ELEMENTAL, "Goblin", "Ogre", "Troll", "Giant") if kind in name)


# -- creatures ------------------------------------------------------------------------------------------------------


def summon(kind: str) -> SpellEffect:
    """Create a monster for the target, or for the target's controller (FM-GOBLIN-2, FM-MON-4..7)."""

    def effect(turn: Turn, cast: Cast) -> None:
        state, target = turn.state, cast.target
        onto = state.monsters.get(target)
        if onto is not None and onto.is_elemental and not turn.rules.elementals_can_be_given_monsters:
            turn.report_effect(cast, "no_effect_on_elemental", "FM-GOBLIN-7", because=onto.origins.get(BORN, ()))
            return
        controller = target if onto is None else onto.controller
        name = monster_name(state, kind)
        state.monsters[name] = monster = Monster(name, kind, controller, _find_first_victim(turn, controller, name))
        state.created += 1
        owner = cast.caster if turn.rules.newborn_of_reflected is CreatureOwner.MIRROR else cast.summoner
        turn.record_birth(owner, cast.hand, name)
        turn.report_effect(cast, "creates", felt=True, creature=name, master=controller)
        turn.record_mark(monster, BORN)

    return effect


def _find_first_victim(turn: Turn, master: str, creature: str) -> str:
    """Return whom a summoned monster attacks until its master names a victim. One without a master may rest."""
    if turn.rules.creatures_rest_without_master and master not in turn.state.still_in:
        return NOBODY
    return turn.foe_of(master, creature)


def summon_elemental(kind: str) -> SpellEffect:
    """Create an elemental, whatever the target (FM-ELEM-3)."""

    def effect(turn: Turn, cast: Cast) -> None:
        _bring_elemental(turn, cast, kind, raised=False)

    return effect


def summon_either(turn: Turn, cast: Cast) -> None:
    """Summon either elemental by one spell: its target chooses the kind (WH-SUM-3, WH-SUM-4)."""
    said = (turn.state.wizards.get(cast.target) or turn.state.wizards[cast.summoner]).decisions
    kind = said.get(f"ELEMENTAL {cast.hand}:{cast.summoner}") or said.get(f"ELEMENTAL {cast.summoner}")
    _bring_elemental(turn, cast, ICE_ELEMENTAL if kind == "ice" else FIRE_ELEMENTAL, raised=False)


def _bring_elemental(turn: Turn, cast: Cast, kind: str, *, raised: bool) -> None:
    """Opposites destroy each other, equals join, and otherwise it appears (FM-ELEM-13, FM-ELEM-14)."""
    state = turn.state
    opposite = ICE_ELEMENTAL if kind == FIRE_ELEMENTAL else FIRE_ELEMENTAL
    if turn.elementals_clashed:
        state.tombstone = [*state.tombstone, kind]
        turn.report_effect(cast, "dies_on_arrival", "FM-ELEM-13", creature=kind, because=turn.sources["elementals"])
    elif kind in state.monsters:
        state.monsters[kind].hp = state.monsters[kind].max_hp
        there = state.monsters[kind]
        turn.report_effect(cast, "joins", "FM-ELEM-14", creature=kind, because=there.origins.get(BORN, ()))
        turn.record_mark(there, BORN, more=True)
        if kind in turn.newborn.values() and turn.rules.joined_elemental_is_each_hands:
            turn.record_birth(cast.summoner, cast.hand, kind)
    elif opposite in state.monsters:
        turn.elementals_clashed = True
        there = state.monsters[opposite]
        turn.report_effect(cast, "clash", "FM-ELEM-13", creature=kind, because=there.origins.get(BORN, ()))
        turn.record_source("elementals")
        destroy(turn, opposite)
        state.tombstone = [*state.tombstone, kind]
    else:
        state.monsters[kind] = monster = Monster(kind, kind, NO_MASTER, NO_MASTER)
        state.created += 1
        turn.record_birth(cast.summoner, cast.hand, kind)
        turn.report_effect(cast, "raises" if raised else "creates", creature=kind, master=NO_MASTER)
        turn.record_mark(monster, BORN)


def monster_name(state: State, kind: str) -> str:
    """Return the next monster's name: colour words and its kind in one word (FM-MON-9; spec: engine 6.1)."""
    if kind in ELEMENTALS:
        return kind
    colours = list(state.colours)
    index, name = state.created, ""
    while index > len(colours) - 1:
        at = index % (len(colours) - 1)
        name += colours[at] + "ish"
        del colours[at]
        index = index // (len(colours) - 1) - 1
    return name + colours[index] + kind
