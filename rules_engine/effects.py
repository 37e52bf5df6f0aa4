"""The small vocabulary of effects that spells are built from, and a function for each spell that needs its own.

Every effect takes the turn and the cast as the gate left it: with the caster and target after any mirror.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules_engine.beings import BORN, ELEMENTALS, FIRE_ELEMENTAL, ICE_ELEMENTAL, PERMANENT, Being, Monster
from rules_engine.rules import Rules
from rules_engine.spells import Cast
from rules_engine.steps.casting import destroy, lasting
from rules_engine.turn import SpellEffect, Turn

if TYPE_CHECKING:
    from collections.abc import Callable


def powers_are_for_wizards(rules: Rules) -> bool:
    """Return whether Permanency and Delay Effect leave monsters alone (FM-PERM-2, FM-DELAY-2)."""
    return rules.powers_work_on_wizards_only


def delay_is_renewed(rules: Rules) -> bool:
    """Return whether a second Delay Effect gives its own three turns (FM-DELAY-3)."""
    return rules.delay_is_renewed


def never(rules: Rules) -> bool:
    """No ruleset restarts an enchantment that is already running."""
    return False


def find_target(turn: Turn, cast: Cast) -> Being:
    being = turn.state.being(cast.target)
    assert being is not None  # the gate stops spells with an absent target
    return being


# -- countered ------------------------------------------------------------------------------------------------------


def fizzle(turn: Turn, cast: Cast) -> None:
    """Stop a spell by Counter Spell (FM-COUNTER-2)."""
    turn.report_effect(cast, "countered", "FM-COUNTER-2", because=turn.find_origins(cast.target, "countering"))


def fizzle_felt(turn: Turn, cast: Cast) -> None:
    """Do the same, but even a blind target notices: the creature is absorbed (spec: engine 8.1)."""
    turn.report_effect(
        cast, "countered", "FM-COUNTER-2", felt=True, because=turn.find_origins(cast.target, "countering")
    )


def never_countered(turn: Turn, cast: Cast) -> None:
    """A Counter Spell makes no difference here (FM-COUNTER-7; FM-MISSILE-4 is due to the shield)."""
    cast.spell.effect(turn, cast)


# -- words of the vocabulary ----------------------------------------------------------------------------------------


def hit_with(kind: str, *, felt: bool = False, outcome: str = "hits") -> SpellEffect:
    """Count one blow of `kind` on the target, to take effect in the results."""

    def effect(turn: Turn, cast: Cast) -> None:
        if not turn.silent:
            turn.report_effect(cast, outcome, felt=felt)
        turn.record_blow(cast.target, kind)

    return effect


def set_mark(turns: int, *, renews: Callable[[Rules], bool] | None = None) -> SpellEffect:
    """Set the mark for `turns`, or for good; a permanent one never changes, a running one only if it `renews`
    (None: in every ruleset)."""

    def effect(turn: Turn, cast: Cast) -> None:
        being, mark = find_target(turn, cast), cast.spell.mark
        marks = being.marks
        present = marks.get(mark, 0)
        renewed = renews is None or renews(turn.rules)
        if present < 0 or (present and not renewed):
            turn.report_effect(cast, "already", felt=renewed, because=being.origins.get(mark, ()))
            return
        if (cast.target, mark) not in turn.caught:
            marks[mark] = lasting(turn, cast, turns, present)
        if not turn.silent:
            turn.report_effect(cast, "works", felt=True)
            turn.record_mark(being, mark, more=present != 0)

    return effect


def on_wizard_only(effect: SpellEffect, *, really: Callable[[Rules], bool] = lambda rules: True) -> SpellEffect:
    """No effect on monsters (FM-DELAY-2, FM-PERM-2, FM-ANTI-5), in rulesets where `really` is true."""

    def limited(turn: Turn, cast: Cast) -> None:
        if cast.target in turn.state.wizards or not really(turn.rules):
            effect(turn, cast)
        else:
            turn.report_effect(cast, "no_effect_on_monster")

    return limited


def on_elementals_in_vain(effect: SpellEffect) -> SpellEffect:
    """Haste, which leaves elementals as they are where it does not make them strike twice (FM-HASTE-7; rulings)."""

    def limited(turn: Turn, cast: Cast) -> None:
        being = find_target(turn, cast)
        if turn.rules.haste_is_lost_on_elementals and isinstance(being, Monster) and being.is_elemental:
            turn.report_effect(cast, "no_effect_on_kind", because=being.origins.get(BORN, ()))
        else:
            effect(turn, cast)

    return limited


def shield(turn: Turn, cast: Cast) -> None:
    """Shield the subject for one turn; it adds nothing to one already up (FM-SHIELD, FM-PROT-4)."""
    being = find_target(turn, cast)
    if not turn.silent:
        turn.report_effect(cast, "works", felt=True)
    if "shielded" not in being.marks:
        being.marks["shielded"] = 1
        turn.record_mark(being, "shielded")


def counter(turn: Turn, cast: Cast) -> None:
    """Counter Spell: stop what comes later in the order, and shield (FM-COUNTER-2, FM-COUNTER-9)."""
    being = find_target(turn, cast)
    if not turn.silent:
        turn.report_effect(cast, "works", felt=True)
    for mark in ("countering", "shielded"):
        if mark not in being.marks:
            being.marks[mark] = 1
            turn.record_mark(being, mark)


def make_resistant(own_kind: str) -> SpellEffect:
    """Resist Heat or Cold: permanent; aimed at the elemental of its kind, it destroys it (FM-RHEAT, FM-RCOLD)."""

    def effect(turn: Turn, cast: Cast) -> None:
        if cast.target == own_kind and turn.rules.resist_destroys_elemental:
            turn.report_effect(cast, "destroys", "FM-ELEM-7")
            destroy(turn, own_kind)
            return
        if cast.target in ELEMENTALS and cast.target != own_kind and turn.rules.resist_spares_other_elemental:
            turn.report_effect(cast, "no_effect_on_kind", "FM-RHEAT-6" if own_kind == FIRE_ELEMENTAL else "FM-RCOLD-4")
            return
        being, mark = find_target(turn, cast), cast.spell.mark
        turn.report_effect(cast, "works", felt=True)
        turn.record_mark(being, mark, more=mark in being.marks)
        being.marks[mark] = PERMANENT

    return effect


def sicken(turns: int = 6) -> SpellEffect:
    """Disease and Poison: `turns` to live, counting the turn of casting; a second one changes nothing (FM-DISEASE-2).

    An extra turn does not count down, so a spell cast in one loses its first turn at once.
    """
    in_normal_turn = set_mark(turns, renews=never)
    in_extra_turn = set_mark(turns - 1, renews=never)

    def effect(turn: Turn, cast: Cast) -> None:
        extra = turn.extra and turn.rules.illness_counts_extra_turn
        (in_extra_turn if extra else in_normal_turn)(turn, cast)

    return effect


def sicken_to_death(turns: int) -> SpellEffect:
    """Disease and Poison that kill a monster in the same turn, after its attack (WL-ENCH-18, WL-ENCH-19)."""
    on_wizards = sicken(turns)

    def effect(turn: Turn, cast: Cast) -> None:
        if cast.target in turn.state.monsters:
            turn.report_effect(cast, "destroys", "WL-ENCH-19")
            doom(turn, cast.target)
        else:
            on_wizards(turn, cast)

    return effect


def doom(turn: Turn, name: str) -> None:
    """Make a monster fall apart after its attack; no cure helps."""
    turn.state.monsters[name].hp = 0
    if turn.rules.falling_apart_is_final:
        turn.record_blow(name, "doom")
        return
    hits = turn.hits.get(name, {})
    hits.pop("cure_light", None)
    hits.pop("cure_heavy", None)


def finger_of_death(turn: Turn, cast: Cast) -> None:
    """Kill in the results. A creature raised in this turn falls dead at once: the two spells cancel (FM-RAISE-13)."""
    if turn.rules.death_undoes_raising and cast.target in turn.raised_by and cast.target in turn.state.monsters:
        turn.report_effect(cast, "destroys", "FM-RAISE-13", because=find_target(turn, cast).origins.get(BORN, ()))
        destroy(turn, cast.target)
    else:
        _strike_dead(turn, cast)


_strike_dead = hit_with("death")


def strike_blind(turn: Turn, cast: Cast) -> None:
    """Blindness: a monster is destroyed at once, a wizard is blind from the next turn (FM-BLIND)."""
    if _destroy_if_monster(turn, cast, "FM-BLIND-9"):
        return
    being = find_target(turn, cast)
    marks = being.marks
    if marks.get("blind", 0) < 0:
        turn.report_effect(cast, "already", felt=True, because=being.origins.get("blind", ()))
        return
    turn.report_effect(cast, "works", felt=True)
    turn.record_mark(being, "struck_blind", more="struck_blind" in marks)
    marks["struck_blind"] = lasting(turn, cast, 4, marks.get("struck_blind", 0))


def hide(turn: Turn, cast: Cast) -> None:
    """Invisibility: a monster is destroyed at once; a wizard still unseen gains nothing (FM-INVIS)."""
    if _destroy_if_monster(turn, cast, "FM-INVIS-10"):
        return
    being = find_target(turn, cast)
    marks = being.marks
    if "invisible" in marks:
        turn.report_effect(cast, "already", felt=True, because=being.origins.get("invisible", ()))
        return
    turn.report_effect(cast, "works", felt=True)
    turn.record_mark(being, "disappearing", more="disappearing" in marks)
    marks["disappearing"] = lasting(turn, cast, 4, marks.get("disappearing", 0))


def _destroy_if_monster(turn: Turn, cast: Cast, clause: str) -> bool:
    if cast.target not in turn.state.monsters:
        return False
    turn.report_effect(cast, "destroys", clause)
    destroy(turn, cast.target)
    return True


# -- protections that need their own functions -----------------------------------------------------------------------


def dispel(turn: Turn, cast: Cast) -> None:
    """Shield the subject; the aftermath deals with everything else (FM-DISPEL-11)."""
    turn.shielded_by_dispel += (cast.target,)
    turn.report_effect(cast, "works")
    turn.record_source("dispel")


def leave_unshielded(turn: Turn, cast: Cast) -> None:
    """An earlier Counter Spell only stops the Dispel Magic's shield (spec: engine 5.5)."""
    turn.report_effect(cast, "unshielded", because=turn.find_origins(cast.target, "countering"))
    turn.record_source("dispel")


def remove_enchantments(turn: Turn, cast: Cast) -> None:
    """Remove every enchantment, including this turn's; a monster falls apart after its attack (FM-REMENCH)."""
    being = find_target(turn, cast)
    turn.strip(being)
    turn.look_around()
    if isinstance(being, Monster):
        turn.report_effect(cast, "destroys", "FM-REMENCH-6")
        doom(turn, cast.target)
    else:
        turn.report_effect(cast, "works")
        if turn.rules.removal_undoes_creation:
            undo_creation(turn, cast)


def undo_creation(turn: Turn, cast: Cast) -> None:
    """Destroy what the subject is creating in this turn, after its attack (WH-PROT-2)."""
    for (mage, _), name in turn.newborn.items():
        if mage == cast.target and name in turn.state.monsters and name not in turn.raised_by:
            turn.report_effect(cast, "undoes", "WH-PROT-2", creature=name)
            doom(turn, name)


# -- storms ---------------------------------------------------------------------------------------------------------


def fire_storm(turn: Turn, cast: Cast) -> None:
    """Fire Storm against storms and elementals; it engulfs a fire elemental in any case (FM-FSTORM; engine 5.5)."""
    monsters = turn.state.monsters
    if turn.storms_clashed:
        turn.report_effect(cast, "fades", "FM-FSTORM-3", because=turn.sources.get("storms", ()))
    elif turn.elementals_clashed:
        turn.report_effect(cast, "consumed", "FM-FSTORM-4", because=turn.sources.get("elementals", ()))
    elif ICE_ELEMENTAL in monsters:
        _spend_on_elemental(turn, cast, ICE_ELEMENTAL, "FM-FSTORM-4")
    else:
        turn.fire_storm = True
        turn.report_effect(cast, "works")
        turn.record_source("fire_storm")
    if FIRE_ELEMENTAL in monsters:
        _engulf(turn, cast, FIRE_ELEMENTAL)


def ice_storm(turn: Turn, cast: Cast) -> None:
    """Ice Storm against storms and elementals; it engulfs an ice elemental only if it rages (FM-ISTORM)."""
    monsters = turn.state.monsters
    if turn.storms_clashed:
        turn.report_effect(cast, "fades", "FM-ISTORM-3", because=turn.sources.get("storms", ()))
    elif turn.fire_storm:
        turn.fire_storm = False
        turn.storms_clashed = True
        turn.report_effect(cast, "cancels", "FM-ISTORM-3", because=turn.sources["fire_storm"])
        turn.record_source("storms")
    elif turn.elementals_clashed:
        turn.report_effect(cast, "consumed", "FM-ISTORM-4", because=turn.sources.get("elementals", ()))
    elif FIRE_ELEMENTAL in monsters:
        _spend_on_elemental(turn, cast, FIRE_ELEMENTAL, "FM-ISTORM-4")
    else:
        turn.ice_storm = True
        turn.report_effect(cast, "works")
        turn.record_source("ice_storm")
    if ICE_ELEMENTAL in monsters and turn.ice_storm:
        _engulf(turn, cast, ICE_ELEMENTAL)


def _spend_on_elemental(turn: Turn, cast: Cast, elemental: str, rule: str) -> None:
    """Destroy the elemental of the other kind, and the storm with it."""
    turn.storms_clashed = True
    because = turn.state.monsters[elemental].origins.get(BORN, ())
    turn.report_effect(cast, "spent_on_elemental", rule, creature=elemental, because=because)
    turn.record_source("storms")
    destroy(turn, elemental)


def _engulf(turn: Turn, cast: Cast, elemental: str) -> None:
    """Destroy the elemental of the storm's own kind."""
    because = turn.state.monsters[elemental].origins.get(BORN, ())
    turn.report_effect(cast, "engulfs", "FM-ELEM-10", creature=elemental, because=because)
    destroy(turn, elemental)
