"""The small vocabulary of effects that spells are made of, and a function each for those that need a sentence.

Every effect takes the turn and the cast as the gate left it: caster and target are those after a mirror.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules_engine.beings import (
    BORN,
    FIRE_ELEMENTAL,
    GONE,
    ICE_ELEMENTAL,
    NO_MASTER,
    NOBODY,
    ORDERS,
    PERMANENT,
    WIZARD_HP,
    Being,
    Monster,
    Wizard,
    monster_name,
)
from rules_engine.rules import CreatureOwner, Rules
from rules_engine.steps.casting import destroy, lasting
from rules_engine.turn import Cast, SpellEffect, Turn

if TYPE_CHECKING:
    from collections.abc import Callable


def powers_are_for_wizards(rules: Rules) -> bool:
    """Whether Permanency and Delay Effect leave monsters alone (FM-PERM-2, FM-DELAY-2)."""
    return rules.powers_work_on_wizards_only


def delay_is_renewed(rules: Rules) -> bool:
    """Whether a second Delay Effect gives its own three turns (FM-DELAY-3)."""
    return rules.delay_is_renewed


def never(rules: Rules) -> bool:
    """What runs is not begun anew in any ruleset."""
    return False


def _target(turn: Turn, cast: Cast) -> Being:
    being = turn.state.being(cast.target)
    assert being is not None  # the gate lets no spell through at what is not there
    return being


# -- countered ------------------------------------------------------------------------------------------------------


def fizzle(turn: Turn, cast: Cast) -> None:
    """A Counter Spell stops it (FM-COUNTER-2)."""
    turn.tell_effect(cast, "countered", "FM-COUNTER-2", because=turn.laid_on(cast.target, "countering"))


def fizzle_felt(turn: Turn, cast: Cast) -> None:
    """The same, noticed by the target though blind: the creature is absorbed (spec: engine 8.1)."""
    turn.tell_effect(cast, "countered", "FM-COUNTER-2", felt=True, because=turn.laid_on(cast.target, "countering"))


def never_countered(turn: Turn, cast: Cast) -> None:
    """A Counter Spell makes no difference to it here (FM-COUNTER-7, FM-MISSILE-4 is the shield's doing)."""
    cast.spell.effect(turn, cast)


# -- words of the vocabulary ----------------------------------------------------------------------------------------


def hit_with(kind: str, *, felt: bool = False, outcome: str = "hits") -> SpellEffect:
    """Count one blow of `kind` on the target, to be felt in the results."""

    def effect(turn: Turn, cast: Cast) -> None:
        turn.tell_effect(cast, outcome, felt=felt)
        turn.note_blow(cast.target, kind)

    return effect


def set_mark(mark: str, turns: int, *, renews: Callable[[Rules], bool] = lambda rules: True) -> SpellEffect:
    """Lay a mark for `turns`, or for good; a permanent one is never changed, a running one where it `renews`."""

    def effect(turn: Turn, cast: Cast) -> None:
        being = _target(turn, cast)
        marks = being.marks
        present = marks.get(mark, 0)
        renewed = renews(turn.rules)
        if present < 0 or (present and not renewed):
            turn.tell_effect(cast, "already", felt=renewed, because=being.laid.get(mark, ()))
            return
        if (cast.target, mark) not in turn.caught:
            marks[mark] = lasting(turn, cast, turns, present)
        turn.tell_effect(cast, "works", felt=True)
        turn.note_laid(being, mark, more=present != 0)

    return effect


def on_wizard_only(effect: SpellEffect, *, really: Callable[[Rules], bool] = lambda rules: True) -> SpellEffect:
    """No effect on monsters (FM-DELAY-2, FM-PERM-2, FM-ANTI-5), where the ruleset `really` holds to that."""

    def limited(turn: Turn, cast: Cast) -> None:
        if cast.target in turn.state.wizards or not really(turn.rules):
            effect(turn, cast)
        else:
            turn.tell_effect(cast, "no_effect_on_monster")

    return limited


def shield(turn: Turn, cast: Cast) -> None:
    """One turn's shield; it adds nothing to one already up (FM-SHIELD, FM-PROT-4)."""
    being = _target(turn, cast)
    turn.tell_effect(cast, "works", felt=True)
    if "shielded" not in being.marks:
        being.marks["shielded"] = 1
        turn.note_laid(being, "shielded")


def counter(turn: Turn, cast: Cast) -> None:
    """Counter Spell: stops what comes later in the order, and shields (FM-COUNTER-2, FM-COUNTER-9)."""
    being = _target(turn, cast)
    turn.tell_effect(cast, "works", felt=True)
    for mark in ("countering", "shielded"):
        if mark not in being.marks:
            being.marks[mark] = 1
            turn.note_laid(being, mark)


def make_resistant(mark: str, own_kind: str) -> SpellEffect:
    """Resist Heat or Cold: for good; aimed at the elemental of its kind it destroys it (FM-RHEAT, FM-RCOLD)."""

    def effect(turn: Turn, cast: Cast) -> None:
        if cast.target == own_kind and turn.rules.resist_destroys_elemental:
            turn.tell_effect(cast, "destroys", "FM-ELEM-7")
            destroy(turn, own_kind)
            return
        being = _target(turn, cast)
        turn.tell_effect(cast, "works", felt=True)
        turn.note_laid(being, mark, more=mark in being.marks)
        being.marks[mark] = PERMANENT

    return effect


def sicken(mark: str, turns: int = 6) -> SpellEffect:
    """Disease and Poison: `turns` to live, counted from the turn of casting, not begun anew (FM-DISEASE-2).

    An extra turn does not count down, so there the turn of casting is taken off at once.
    """
    in_normal_turn = set_mark(mark, turns, renews=never)
    in_extra_turn = set_mark(mark, turns - 1, renews=never)

    def effect(turn: Turn, cast: Cast) -> None:
        extra = turn.extra and turn.rules.illness_counts_extra_turn
        (in_extra_turn if extra else in_normal_turn)(turn, cast)

    return effect


def sicken_to_death(mark: str, turns: int) -> SpellEffect:
    """Disease and Poison where they kill a monster in this very turn, after its attack (WL-ENCH-18, WL-ENCH-19)."""
    on_wizards = sicken(mark, turns)

    def effect(turn: Turn, cast: Cast) -> None:
        if cast.target in turn.state.monsters:
            turn.tell_effect(cast, "destroys", "WL-ENCH-19")
            doom(turn, cast.target)
        else:
            on_wizards(turn, cast)

    return effect


def doom(turn: Turn, name: str) -> None:
    """A monster falls apart after its attack, whatever cures it."""
    turn.state.monsters[name].hp = 0
    hits = turn.hits.get(name, {})
    hits.pop("cure_light", None)
    hits.pop("cure_heavy", None)


def strike_blind(turn: Turn, cast: Cast) -> None:
    """Blindness: a monster is destroyed at once, a wizard sees nothing from the next turn (FM-BLIND)."""
    if _destroy_if_monster(turn, cast, "FM-BLIND-9"):
        return
    being = _target(turn, cast)
    marks = being.marks
    if marks.get("blind", 0) < 0:
        turn.tell_effect(cast, "already", felt=True, because=being.laid.get("blind", ()))
        return
    turn.tell_effect(cast, "works", felt=True)
    turn.note_laid(being, "struck_blind", more="struck_blind" in marks)
    marks["struck_blind"] = lasting(turn, cast, 4, marks.get("struck_blind", 0))


def hide(turn: Turn, cast: Cast) -> None:
    """Invisibility: a monster is destroyed at once; a wizard still unseen gains nothing (FM-INVIS)."""
    if _destroy_if_monster(turn, cast, "FM-INVIS-10"):
        return
    being = _target(turn, cast)
    marks = being.marks
    if "invisible" in marks:
        turn.tell_effect(cast, "already", felt=True, because=being.laid.get("invisible", ()))
        return
    turn.tell_effect(cast, "works", felt=True)
    turn.note_laid(being, "disappearing", more="disappearing" in marks)
    marks["disappearing"] = lasting(turn, cast, 4, marks.get("disappearing", 0))


def _destroy_if_monster(turn: Turn, cast: Cast, clause: str) -> bool:
    if cast.target not in turn.state.monsters:
        return False
    turn.tell_effect(cast, "destroys", clause)
    destroy(turn, cast.target)
    return True


# -- protections with a sentence of their own -----------------------------------------------------------------------


def dispel(turn: Turn, cast: Cast) -> None:
    """The subject is shielded; what becomes of everything else is the aftermath (FM-DISPEL-11)."""
    turn.shielded_by_dispel += (cast.target,)
    turn.tell_effect(cast, "works")
    turn.note_source("dispel")


def leave_unshielded(turn: Turn, cast: Cast) -> None:
    """A Counter Spell left from before keeps only the Dispel Magic's shield away (spec: engine 5.5)."""
    turn.tell_effect(cast, "unshielded", because=turn.laid_on(cast.target, "countering"))
    turn.note_source("dispel")


def remove_enchantments(turn: Turn, cast: Cast) -> None:
    """Everything goes, this turn's too; a monster falls apart after its attack (FM-REMENCH)."""
    being = _target(turn, cast)
    turn.strip(being)
    turn.look_around()
    if isinstance(being, Monster):
        turn.tell_effect(cast, "destroys", "FM-REMENCH-6")
        doom(turn, cast.target)
    else:
        turn.tell_effect(cast, "works")
        if turn.rules.removal_undoes_creation:
            undo_creation(turn, cast)


def undo_creation(turn: Turn, cast: Cast) -> None:
    """What its subject is creating in this turn falls apart after its attack (WH-PROT-2)."""
    for (mage, _), name in turn.newborn.items():
        if mage == cast.target and name in turn.state.monsters and name not in turn.raised_by:
            turn.tell_effect(cast, "undoes", "WH-PROT-2", creature=name)
            doom(turn, name)


# -- the dead -------------------------------------------------------------------------------------------------------


def raise_dead(turn: Turn, cast: Cast) -> None:
    """The living are healed by five; dead monsters and dead mages come back (FM-RAISE; spec: engine 5.5)."""
    state, name = turn.state, cast.target
    if state.is_live(name):
        _raise_the_living(turn, cast)
    elif name in (FIRE_ELEMENTAL, ICE_ELEMENTAL) and not turn.rules.elementals_can_be_raised:
        turn.tell_effect(cast, "not_raised", "SC-PROT-3")
    elif name in state.wizards:
        _raise_wizard(turn, cast, state.wizards[name])
    elif name in state.tombstone:
        _raise_monster(turn, cast)
    else:
        turn.tell_effect(cast, "target_gone", because=turn.sources.get(name, ()))


def _raise_the_living(turn: Turn, cast: Cast) -> None:
    again = cast.target in turn.raised_by
    being = _target(turn, cast)
    if isinstance(being, Monster) and again and being.controller != cast.caster:
        being.controller = being.target = NOBODY
        turn.tell_effect(cast, "contested", felt=True, because=being.laid.get(BORN, ()))
    else:
        turn.tell_effect(cast, "heals", "FM-RAISE-11", felt=again)
    turn.note_blow(cast.target, "risen")


def _raise_wizard(turn: Turn, cast: Cast, wizard: Wizard) -> None:
    state = turn.state
    if wizard.hp > 0:  # he surrendered: he is not dead (spec: engine 5.5)
        turn.tell_effect(cast, "not_dead", because=wizard.laid.get(GONE, ()))
        return
    state.out.remove(wizard.name)
    wizard.hp = WIZARD_HP
    wizard.phase = ORDERS
    if turn.rules.raised_starts_afresh:
        wizard.surrendered = False
    turn.tell_effect(cast, "raises")


def _raise_monster(turn: Turn, cast: Cast) -> None:
    state, name = turn.state, cast.target
    state.tombstone.remove(name)
    kind = _kind_of(name)
    if kind in (FIRE_ELEMENTAL, ICE_ELEMENTAL):
        _bring_elemental(turn, cast, kind, raised=True)
    else:
        state.monsters[name] = monster = Monster(name, kind, cast.caster, turn.foe_of(cast.caster, name))
        state.created += 1
        turn.tell_effect(cast, "raises")
        turn.note_laid(monster, BORN)
    if name in state.monsters:
        turn.note_birth(cast.summoner, cast.hand, name)
        turn.raised_by = {**turn.raised_by, name: cast.caster}


def _kind_of(name: str) -> str:
    return next(kind for kind in (FIRE_ELEMENTAL, ICE_ELEMENTAL, "Goblin", "Ogre", "Troll", "Giant") if kind in name)


# -- creatures ------------------------------------------------------------------------------------------------------


def summon(kind: str) -> SpellEffect:
    """A monster for the target, or for the target's controller (FM-GOBLIN-2, FM-MON-4..7)."""

    def effect(turn: Turn, cast: Cast) -> None:
        state, target = turn.state, cast.target
        onto = state.monsters.get(target)
        if onto is not None and onto.is_elemental and not turn.rules.elementals_can_be_given_monsters:
            turn.tell_effect(cast, "no_effect_on_elemental", "FM-GOBLIN-7", because=onto.laid.get(BORN, ()))
            return
        controller = target if onto is None else onto.controller
        name = monster_name(state, kind)
        state.monsters[name] = monster = Monster(name, kind, controller, turn.foe_of(controller, name))
        state.created += 1
        owner = cast.caster if turn.rules.newborn_of_reflected is CreatureOwner.MIRROR else cast.summoner
        turn.note_birth(owner, cast.hand, name)
        turn.tell_effect(cast, "creates", felt=True, creature=name, master=controller)
        turn.note_laid(monster, BORN)

    return effect


def summon_elemental(kind: str) -> SpellEffect:
    """An elemental, whoever it was aimed at (FM-ELEM-3)."""

    def effect(turn: Turn, cast: Cast) -> None:
        _bring_elemental(turn, cast, kind, raised=False)

    return effect


def summon_either(turn: Turn, cast: Cast) -> None:
    """The one elemental spell: its kind is the word of the one it is cast at (WH-SUM-3, WH-SUM-4)."""
    said = (turn.state.wizards.get(cast.target) or turn.state.wizards[cast.summoner]).decisions
    kind = said.get(f"ELEMENTAL {cast.hand}:{cast.summoner}") or said.get(f"ELEMENTAL {cast.summoner}")
    _bring_elemental(turn, cast, ICE_ELEMENTAL if kind == "ice" else FIRE_ELEMENTAL, raised=False)


def _bring_elemental(turn: Turn, cast: Cast, kind: str, *, raised: bool) -> None:
    """Opposites destroy each other, likes join, else it stands there (FM-ELEM-13, FM-ELEM-14)."""
    state = turn.state
    opposite = ICE_ELEMENTAL if kind == FIRE_ELEMENTAL else FIRE_ELEMENTAL
    if turn.elementals_clashed:
        state.tombstone.append(kind)
        turn.tell_effect(cast, "dies_on_arrival", "FM-ELEM-13", creature=kind, because=turn.sources["elementals"])
    elif kind in state.monsters:
        state.monsters[kind].hp = state.monsters[kind].max_hp
        there = state.monsters[kind]
        turn.tell_effect(cast, "joins", "FM-ELEM-14", creature=kind, because=there.laid.get(BORN, ()))
        turn.note_laid(there, BORN, more=True)
        if kind in turn.newborn.values() and turn.rules.joined_elemental_is_each_hands:
            turn.note_birth(cast.summoner, cast.hand, kind)
    elif opposite in state.monsters:
        turn.elementals_clashed = True
        there = state.monsters[opposite]
        turn.tell_effect(cast, "clash", "FM-ELEM-13", creature=kind, because=there.laid.get(BORN, ()))
        turn.note_source("elementals")
        destroy(turn, opposite)
        state.tombstone.append(kind)
    else:
        state.monsters[kind] = monster = Monster(kind, kind, NO_MASTER, NO_MASTER)
        state.created += 1
        turn.note_birth(cast.summoner, cast.hand, kind)
        turn.tell_effect(cast, "raises" if raised else "creates", creature=kind, master=NO_MASTER)
        turn.note_laid(monster, BORN)


# -- storms ---------------------------------------------------------------------------------------------------------


def fire_storm(turn: Turn, cast: Cast) -> None:
    """Fire Storm against storms and elementals; it engulfs a fire elemental in any case (FM-FSTORM; engine 5.5)."""
    monsters = turn.state.monsters
    if turn.storms_clashed:
        turn.tell_effect(cast, "fades", "FM-FSTORM-3", because=turn.sources.get("storms", ()))
    elif turn.elementals_clashed:
        turn.tell_effect(cast, "consumed", "FM-FSTORM-4", because=turn.sources.get("elementals", ()))
    elif ICE_ELEMENTAL in monsters:
        turn.storms_clashed = True
        because = monsters[ICE_ELEMENTAL].laid.get(BORN, ())
        turn.tell_effect(cast, "spent_on_elemental", "FM-FSTORM-4", creature=ICE_ELEMENTAL, because=because)
        turn.note_source("storms")
        destroy(turn, ICE_ELEMENTAL)
    else:
        turn.fire_storm = True
        turn.tell_effect(cast, "works")
        turn.note_source("fire_storm")
    if FIRE_ELEMENTAL in monsters:
        because = monsters[FIRE_ELEMENTAL].laid.get(BORN, ())
        turn.tell_effect(cast, "engulfs", "FM-ELEM-10", creature=FIRE_ELEMENTAL, because=because)
        destroy(turn, FIRE_ELEMENTAL)


def ice_storm(turn: Turn, cast: Cast) -> None:
    """Ice Storm against storms and elementals; only one that rages engulfs the ice elemental (FM-ISTORM)."""
    monsters = turn.state.monsters
    if turn.storms_clashed:
        turn.tell_effect(cast, "fades", "FM-ISTORM-3", because=turn.sources.get("storms", ()))
    elif turn.fire_storm:
        turn.fire_storm = False
        turn.storms_clashed = True
        turn.tell_effect(cast, "cancels", "FM-ISTORM-3", because=turn.sources["fire_storm"])
        turn.note_source("storms")
    elif turn.elementals_clashed:
        turn.tell_effect(cast, "consumed", "FM-ISTORM-4", because=turn.sources.get("elementals", ()))
    elif FIRE_ELEMENTAL in monsters:
        turn.storms_clashed = True
        because = monsters[FIRE_ELEMENTAL].laid.get(BORN, ())
        turn.tell_effect(cast, "spent_on_elemental", "FM-ISTORM-4", creature=FIRE_ELEMENTAL, because=because)
        turn.note_source("storms")
        destroy(turn, FIRE_ELEMENTAL)
    else:
        turn.ice_storm = True
        turn.tell_effect(cast, "works")
        turn.note_source("ice_storm")
    if ICE_ELEMENTAL in monsters and turn.ice_storm:
        because = monsters[ICE_ELEMENTAL].laid.get(BORN, ())
        turn.tell_effect(cast, "engulfs", "FM-ELEM-10", creature=ICE_ELEMENTAL, because=because)
        destroy(turn, ICE_ELEMENTAL)
