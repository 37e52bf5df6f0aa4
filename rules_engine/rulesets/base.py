"""The base of every ruleset: the order of a turn, and the spells in their order of effect (FM-TABLE-3..15)."""

from __future__ import annotations

from typing import Any

from rules_engine import effects as e
from rules_engine import minds as m
from rules_engine.beings import FIRE_ELEMENTAL, ICE_ELEMENTAL
from rules_engine.spells import FOE, NO_TARGET, SELF, AtUnborn, Spell
from rules_engine.steps.attacks import attack_all, order_monsters, strike_again
from rules_engine.steps.casting import announce_spells, cast_spells, finish_dispel, rage_storms
from rules_engine.steps.ending import bury_monsters, judge, notice_surrenders
from rules_engine.steps.opening import open_turn, show_gestures, speak, wear_off_minds
from rules_engine.steps.results import feel_results
from rules_engine.steps.substitution import substitute_gestures
from rules_engine.summoning import raise_dead, summon, summon_elemental
from rules_engine.turn import SpellEffect, TurnStep

# The order of a turn. A step that returns True stops the turn until mages have answered.
NORMAL: tuple[TurnStep, ...] = (
    substitute_gestures,
    open_turn,
    speak,
    show_gestures,
    wear_off_minds,
    announce_spells,
    cast_spells,
    finish_dispel,
    rage_storms,
    feel_results,
    order_monsters,
    attack_all,
    strike_again,
    bury_monsters,
    notice_surrenders,
    judge,
)
# In extra turns mind spells do not work and monsters do not attack.
HASTENED: tuple[TurnStep, ...] = (
    open_turn,
    speak,
    show_gestures,
    announce_spells,
    cast_spells,
    finish_dispel,
    rage_storms,
    feel_results,
    order_monsters,
    attack_all,
    bury_monsters,
    notice_surrenders,
    judge,
)
STOPPED: tuple[TurnStep, ...] = HASTENED

PROTECTION, SUMMONS, DAMAGE, ENCHANTMENT = "protection", "summons", "damage", "enchantment"


def _spell(
    name: str,
    clause: str,
    category: str,
    default: str,
    effect: SpellEffect,
    countered: SpellEffect = e.fizzle,
    *,
    lasts: bool = False,
    **flags: Any,
) -> Spell:
    """Return a spell. `lasts`: it can be permanent (FM-PERM-3)."""
    return Spell(name, clause, category, default, effect, countered, can_be_permanent=lasts, **flags)


SPELLS: tuple[Spell, ...] = (
    _spell("Dispel Magic", "FM-DISPEL-2", PROTECTION, SELF, e.dispel, e.leave_unshielded, universal=True),
    _spell("Counter Spell", "FM-COUNTER-2", PROTECTION, SELF, e.counter, mark="countering", at_unborn=AtUnborn.WAITS),
    _spell("Magic Mirror", "FM-MIRROR-2", PROTECTION, SELF, e.set_mark(1), mark="reflecting", at_unborn=AtUnborn.WAITS),
    _spell("Summon Goblin", "FM-GOBLIN-2", SUMMONS, SELF, summon("Goblin"), e.fizzle_felt, at_unborn=AtUnborn.FAILS),
    _spell("Summon Ogre", "FM-OGRE-2", SUMMONS, SELF, summon("Ogre"), e.fizzle_felt, at_unborn=AtUnborn.FAILS),
    _spell("Summon Troll", "FM-TROLL-2", SUMMONS, SELF, summon("Troll"), e.fizzle_felt, at_unborn=AtUnborn.FAILS),
    _spell("Summon Giant", "FM-GIANT-2", SUMMONS, SELF, summon("Giant"), e.fizzle_felt, at_unborn=AtUnborn.FAILS),
    _spell("Summon Fire Elemental", "FM-ELEM-3", SUMMONS, NO_TARGET, summon_elemental(FIRE_ELEMENTAL)),
    _spell("Summon Ice Elemental", "FM-ELEM-3", SUMMONS, NO_TARGET, summon_elemental(ICE_ELEMENTAL)),
    _spell("Raise Dead", "FM-RAISE-3", PROTECTION, SELF, raise_dead, at_unborn=AtUnborn.FAILS, works_on_the_dead=True),
    _spell("Haste", "FM-HASTE-2", ENCHANTMENT, SELF, e.set_mark(3), mark="fast", lasts=True),
    _spell("Time Stop", "FM-TIMESTOP-2", ENCHANTMENT, SELF, e.set_mark(1), mark="time_stopped"),
    _spell("Protection", "FM-PROT-2", ENCHANTMENT, SELF, e.set_mark(4), mark="shielded", lasts=True),
    _spell("Resist Heat", "FM-RHEAT-2", ENCHANTMENT, SELF, e.make_resistant(FIRE_ELEMENTAL), mark="heat_resistant"),
    _spell("Resist Cold", "FM-RCOLD-2", ENCHANTMENT, SELF, e.make_resistant(ICE_ELEMENTAL), mark="cold_resistant"),
    _spell("Paralysis", "FM-PARA-2", ENCHANTMENT, FOE, m.paralyse, mark="paralysed", lasts=True),
    _spell("Amnesia", "FM-AMNESIA-2", ENCHANTMENT, FOE, m.mind_spell(m.apply_mark), mark="forgetful", lasts=True),
    _spell("Fear", "FM-FEAR-2", ENCHANTMENT, FOE, m.mind_spell(m.apply_mark), mark="afraid", lasts=True),
    _spell("Confusion", "FM-CONF-2", ENCHANTMENT, FOE, m.mind_spell(m.apply_mark), mark="confused", lasts=True),
    _spell("Charm Monster", "FM-CHARMM-3", ENCHANTMENT, SELF, m.mind_spell(m.apply_charm_monster), mark="charmer"),
    _spell(
        "Charm Person", "FM-CHARMP-3", ENCHANTMENT, FOE, m.mind_spell(m.apply_charm_person), mark="charmed", lasts=True
    ),
    _spell("Disease", "FM-DISEASE-2", ENCHANTMENT, FOE, e.sicken(), mark="sick"),
    _spell("Poison", "FM-POISON-2", ENCHANTMENT, FOE, e.sicken(), mark="poisoned"),
    _spell("Cure Light Wounds", "FM-CLW-2", PROTECTION, SELF, e.hit_with("cure_light", felt=True, outcome="works")),
    _spell("Cure Heavy Wounds", "FM-CHW-2", PROTECTION, SELF, e.hit_with("cure_heavy", felt=True, outcome="works")),
    _spell("Anti Spell", "FM-ANTI-2", ENCHANTMENT, FOE, e.on_wizard_only(e.set_mark(1)), mark="lost"),
    _spell("Blindness", "FM-BLIND-2", ENCHANTMENT, FOE, e.strike_blind, mark="blind", lasts=True),
    _spell("Invisibility", "FM-INVIS-2", ENCHANTMENT, SELF, e.hide, mark="invisible", lasts=True),
    _spell(
        "Permanency",
        "FM-PERM-3",
        ENCHANTMENT,
        SELF,
        e.on_wizard_only(e.set_mark(4), really=e.powers_are_for_wizards),
        mark="permanency",
    ),
    _spell(
        "Delay Effect",
        "FM-DELAY-3",
        ENCHANTMENT,
        SELF,
        e.on_wizard_only(e.set_mark(4, renews=e.delay_is_renewed), really=e.powers_are_for_wizards),
        mark="delay",
        lasts=True,
    ),
    _spell("Remove Enchantment", "FM-REMENCH-2", PROTECTION, FOE, e.remove_enchantments),
    _spell("Shield", "FM-SHIELD-2", PROTECTION, SELF, e.shield, mark="shielded"),
    _spell("Magic Missile", "FM-MISSILE-2", DAMAGE, FOE, e.hit_with("missile"), e.never_countered),
    _spell("Cause Light Wounds", "FM-CAUSEL-2", DAMAGE, FOE, e.hit_with("light", felt=True)),
    _spell("Cause Heavy Wounds", "FM-CAUSEH-2", DAMAGE, FOE, e.hit_with("heavy", felt=True)),
    _spell("Lightning Bolt", "FM-BOLT-2", DAMAGE, FOE, e.hit_with("lightning")),
    _spell("Fireball", "FM-FIREBALL-2", DAMAGE, FOE, e.hit_with("fireball")),
    _spell("Finger Of Death", "FM-FOD-2", DAMAGE, FOE, e.finger_of_death, e.never_countered),
    _spell("Fire Storm", "FM-FSTORM-2", DAMAGE, NO_TARGET, e.fire_storm),
    _spell("Ice Storm", "FM-ISTORM-2", DAMAGE, NO_TARGET, e.ice_storm),
)

# The 43 series of the Standard book (FM-TABLE-1). Small letters are played by both hands.
SERIES: dict[str, str] = {
    "cDPW": "Dispel Magic",
    "cSWWS": "Summon Ice Elemental",
    "cWSSW": "Summon Fire Elemental",
    "cw": "Magic Mirror",
    "DFFDD": "Lightning Bolt",
    "DFPW": "Cure Heavy Wounds",
    "DFW": "Cure Light Wounds",
    "DPP": "Amnesia",
    "DSF": "Confusion",
    "DSFFFc": "Disease",
    "DWFFd": "Blindness",
    "DWSSSP": "Delay Effect",
    "DWWFWc": "Raise Dead",
    "DWWFWD": "Poison",
    "FFF": "Paralysis",
    "FPSFW": "Summon Troll",
    "FSSDD": "Fireball",
    "P": "Shield",
    "PDWP": "Remove Enchantment",
    "PPws": "Invisibility",
    "PSDD": "Charm Monster",
    "PSDF": "Charm Person",
    "PSFW": "Summon Ogre",
    "PWPFSSSD": "Finger Of Death",
    "PWPWWc": "Haste",
    "SD": "Magic Missile",
    "SFW": "Summon Goblin",
    "SPFP": "Anti Spell",
    "SPFPSDW": "Permanency",
    "SPPc": "Time Stop",
    "SPPFD": "Time Stop",
    "SSFP": "Resist Cold",
    "SWD": "Fear",
    "SWWc": "Fire Storm",
    "WDDc": "Lightning Bolt",
    "WFP": "Cause Light Wounds",
    "WFPSFW": "Summon Giant",
    "WPFD": "Cause Heavy Wounds",
    "WPP": "Counter Spell",
    "WSSc": "Ice Storm",
    "WWFP": "Resist Heat",
    "WWP": "Protection",
    "WWS": "Counter Spell",
}

# Each mage may use these once in a battle (FM-BOLT-4).
ONCE: frozenset[str] = frozenset({"WDDc"})
