"""Warlocks, the game of document 004: one function makes a ruleset for each combination of its options."""

from __future__ import annotations

from dataclasses import replace

from rules_engine import effects as e
from rules_engine import mutual_mind_spells as c
from rules_engine.gestures import GESTURES, NOTHING
from rules_engine.minds import apply_charm_monster, apply_mark
from rules_engine.occasions import Step
from rules_engine.rules import CharmedVictim, Choice, Difference, Rules, Ruleset
from rules_engine.rulesets import base, firetop
from rules_engine.spells import AtUnborn, Spell
from rules_engine.steps.casting import announce_spells
from rules_engine.steps.ending import bury_monsters, end_own_lives, notice_surrenders
from rules_engine.steps.stopped_time import suspend_enchantments, take_back
from rules_engine.steps.substitution import substitute_gestures
from rules_engine.steps.taking_orders import name_holding_spells
from rules_engine.text import mark_text

TURNS_OF_PROTECTION = 3
# The turn of casting counts, so death comes at the end of the sixth turn after it.
TURNS_OF_ILLNESS = 7

CF = {"C": "F", "S": "D", "W": "P"}
FC = {"F": "C", "S": "D", "W": "P"}

_RULES = Rules(
    invisible_work_is_hidden=False,
    stopped_turn_is_announced=True,
    hit_point_surplus=1,
    cures_come_first=True,
    held_hand_is_its_casters=True,
    minds_sleep_in_haste=False,
    fear_makes=NOTHING,
    confusion_makes=GESTURES,
    anti_spell_blanks_memory=True,
    charm_is_directed_anew=True,
    charmed_monster_attacks=CharmedVictim.UNCHANGED,
    sight_is_as_the_turn_began=True,
    effects_are_told_to_all=True,
    elementals_find_the_invisible=True,
    stopped_see_each_other=True,
    stopped_turn_lays_aside=True,
    extra_turns_end_first=True,
    haste_moves_elementals=False,
    removal_spares_new_charm=True,
    bank_outlives_removal=True,
    dispelled_once_is_kept=True,
    power_waits_for_its_spell=True,
    choice_has_default=True,
    harm_strikes_at_random=True,
    held_minds_may_end_life=True,
    last_to_surrender_wins=True,
    common_surrender_is_shared=False,
)

_CHANGED = {
    "Summon Fire Elemental": {"may_be_aimed": True},
    "Summon Ice Elemental": {"may_be_aimed": True},
    "Counter Spell": {"at_unborn": AtUnborn.FAILS},
    "Magic Mirror": {"at_unborn": AtUnborn.FAILS},
    "Haste": {"effect": e.on_elementals_in_vain(e.set_mark(3))},
    "Protection": {"effect": e.set_mark(TURNS_OF_PROTECTION), "clause": "WL-ENCH-17"},
    "Paralysis": {"effect": c.clashing(c.apply_paralysis), "clause": "WL-ENCH-9"},
    "Amnesia": {"effect": c.clashing(apply_mark), "clause": "WL-ENCH-1"},
    "Fear": {"effect": c.clashing(apply_mark), "clause": "WL-ENCH-14"},
    "Confusion": {"effect": c.clashing(apply_mark), "clause": "WL-ENCH-3"},
    "Charm Monster": {"effect": c.clashing(apply_charm_monster), "clause": "WL-ENCH-1"},
    "Charm Person": {"effect": c.clashing(c.apply_charm), "clause": "WL-ENCH-1"},
    "Disease": {"effect": e.sicken_to_death(TURNS_OF_ILLNESS), "clause": "WL-ENCH-18"},
    "Poison": {"effect": e.sicken_to_death(TURNS_OF_ILLNESS), "clause": "WL-ENCH-44"},
    "Permanency": {"can_be_permanent": True, "clause": "WL-ENCH-39"},
}


def _make_spells() -> dict[str, Spell]:
    """Return the base's spells with their changes, and the two new ones, in their order of effect."""
    spells: dict[str, Spell] = {}
    for spell in base.SPELLS:
        spells[spell.name] = replace(spell, **_CHANGED.get(spell.name, {}))  # type: ignore[arg-type]
        if spell.name == "Confusion":
            effect = c.clashing(apply_mark)
            spells["Maladroitness"] = replace(
                spell, name="Maladroitness", mark="maladroit", effect=effect, clause="WL-ENCH-5"
            )
        if spell.name == "Lightning Bolt":
            spells["Clap of Lightning"] = replace(spell, name="Clap of Lightning", clause="WL-DMG-1")
    return spells


SPELLS = _make_spells()

_DIFFERENCES = (
    Difference(
        "Cures heal a mage up to sixteen hit points, and a creature to one more than it started with.", "WL-PROT-6"
    ),
    Difference("An elemental's spell can have a target: a Counter Spell on that target stops it.", "FM-COUNTER-2"),
    Difference("There is no Raise Dead.", "WL-PROT-9"),
    Difference(
        "Clap of Lightning, W D D c, is a separate spell. Dispel Magic does not use it up.", "WL-DMG-1 WL-DMG-2"
    ),
    Difference("Blindness is also D F W F d.", "WL-ENCH-20"),
    Difference("Protection lasts this turn and the two after it.", "WL-ENCH-17"),
    Difference(
        "Disease and Poison kill at the end of the sixth turn after this; a creature dies at once, after its attack.",
        "WL-ENCH-18 WL-ENCH-19 WL-ENCH-44",
    ),
    Difference("Any two mind spells on the same being cancel each other, even two of a kind.", "WL-ENCH-1"),
    Difference("Against a permanent mind spell, a later one does nothing.", "WL-ENCH-39"),
    Difference("If a hand plays a gesture that Fear forbids, it does nothing.", "WL-ENCH-14"),
    Difference(
        "If you paralyse the same mage again, you hold the same hand, provided you acted in between.",
        "WL-ENCH-9",
    ),
    Difference(
        "Mind spells work in hastened turns; one that its caster directs fails if the caster cannot act.",
        "WL-ENCH-42 WL-ENCH-25",
    ),
    Difference("In stopped time, earlier enchantments have no effect on anyone.", "WL-ENCH-28 WL-ENCH-43"),
    Difference(
        "Remove Enchantment spares a Charm Monster of the same turn, which works at once.",
        "WL-ENCH-40",
    ),
    Difference(
        "Neither Remove Enchantment nor Dispel Magic empties the bank.",
        "WL-ENCH-37",
    ),
    Difference("Permanency can make Permanency permanent too.", "WL-ENCH-39"),
    Difference(
        "If you do not choose between spells, you cast the one that uses both hands, or else the longest.",
        "WL-PROT-1",
    ),
    Difference(
        "A harmful spell without a target goes to an opponent chosen at random.",
        "WL-GEN-2",
    ),
    Difference(
        "If you surrender while everyone else dies, you win. If two surrender at once, it is a draw.",
        "WL-END-1 WL-END-2",
    ),
)

_NEVER = ("DWWFWc", "WDDc")
_SERIES = {
    **{text: spell for text, spell in base.SERIES.items() if text not in _NEVER},
    "WDDc": "Clap of Lightning",
    "DFWFd": "Blindness",
}
_FDF_SERIES = {
    **{text: spell for text, spell in _SERIES.items() if text not in ("FFF", "DSFFFc")},
    "FDF": "Paralysis",
    "FDFD": "Paralysis",
    "DSFDFc": "Disease",
}


def _put_before(steps: tuple[Step, ...], step: Step, new: Step) -> tuple[Step, ...]:
    at = steps.index(step)
    return (*steps[:at], new, *steps[at:])


_NORMAL = _put_before(base.NORMAL, notice_surrenders, end_own_lives)
_HASTENED = (substitute_gestures, *_put_before(base.HASTENED, notice_surrenders, end_own_lives))
_STOPPED = _put_before(base.STOPPED, announce_spells, suspend_enchantments)
_STOPPED = _put_before(_STOPPED, bury_monsters, take_back)
_STOPPED = _put_before(_STOPPED, notice_surrenders, end_own_lives)


FAMILY = "warlocks"
CHOICES = (
    Choice(
        "paralysis",
        "Paralysis",
        (
            ("CF", mark_text("Paralysis turns C into F")),
            ("FC", mark_text("Paralysis turns F into C")),
            ("FDF", mark_text("Paralysis is F D F")),
        ),
    ),
    Choice(
        "dsf",
        "D S F",
        (("confusion", mark_text("D S F is Confusion")), ("maladroitness", mark_text("D S F is Maladroitness"))),
    ),
)


def make_warlocks(name: str, *, paralysis: str, maladroit: bool) -> Ruleset:
    """Return the ruleset of these options: `paralysis` is "CF", "FC" or "FDF" (WL-GEN-5)."""
    series = dict(_FDF_SERIES if paralysis == "FDF" else _SERIES)
    differences = []
    if maladroit:
        series["DSF"] = "Maladroitness"
        differences.append(Difference("Maladroitness replaces Confusion.", "WL-ENCH-5 WL-ENCH-6"))
    else:
        differences.append(Difference("Confusion draws from all eight gestures.", "WL-ENCH-3"))
    if paralysis == "FC":
        differences.append(Difference("Paralysis turns F into C, and does not change C.", "WL-ENCH-11"))
    if paralysis == "FDF":
        differences.append(Difference("Paralysis is F D F and F D F D, Disease D S F D F c.", "WL-ENCH-12"))
    differences.append(
        Difference(
            f"Under a permanent {name_holding_spells(series.values())}, you may order SUICIDE: your spells still work,"
            " and you die at the turn's end.",
            "WL-ENCH-39",
        )
    )
    chosen = {"paralysis": paralysis, "dsf": "maladroitness" if maladroit else "confusion"}
    return Ruleset(
        name=name,
        edition=1,
        own_title="Warlocks",
        own_summary=mark_text("cures above fifteen, mind spells that cancel each other, no Raise Dead"),
        family=FAMILY,
        choices=CHOICES,
        chosen=chosen,
        book_name="Warlocks",
        series=series,
        once=frozenset({"WDDc"}),
        spells=SPELLS,
        rules=replace(_RULES, paralysis=FC if paralysis == "FC" else CF),
        normal=_NORMAL,
        hastened=_HASTENED,
        stopped=_STOPPED,
        differences=(*_DIFFERENCES, *differences),
    )


_FIRST = (
    make_warlocks("warlocks", paralysis="CF", maladroit=False),
    make_warlocks("warlocks-maladroit", paralysis="CF", maladroit=True),
    make_warlocks("warlocks-parafc", paralysis="FC", maladroit=False),
    make_warlocks("warlocks-parafc-maladroit", paralysis="FC", maladroit=True),
    make_warlocks("warlocks-parafdf", paralysis="FDF", maladroit=False),
    make_warlocks("warlocks-parafdf-maladroit", paralysis="FDF", maladroit=True),
)
"""Every combination of the options."""


def _make_second(first: Ruleset) -> Ruleset:
    """Return the second edition: results on the unseen are told, and no mirror's reflection finds the invisible."""
    return replace(
        first,
        edition=2,
        rules=replace(first.rules, results_on_unseen_are_told=True, mirrors_miss_the_invisible=True),
        differences=(
            *first.differences,
            Difference(
                "Everyone learns what an invisible mage loses and gains, and the blind learn what spells do.",
                "WL-ENCH-21 WL-ENCH-27",
            ),
            Difference("A spell that a mirror sends back at an invisible mage misses.", "WL-ENCH-22"),
        ),
    )


def _make_third(second: Ruleset) -> Ruleset:
    """Return the third edition: corrections after documents 000 and 004."""
    return replace(
        second,
        edition=3,
        rules=replace(
            second.rules,
            resist_spares_other_elemental=True,
            falling_apart_is_final=True,
            elementals_stay_held=True,
            haste_is_lost_on_elementals=True,
            clap_is_told_as_such=True,
        ),
        differences=(
            *second.differences,
            firetop.OTHER_ELEMENTAL,
            Difference(
                "No cure of the same turn saves a creature from Disease, Poison or Remove Enchantment.",
                "WL-ENCH-19 WL-ENCH-44 FM-REMENCH-6",
            ),
            firetop.HELD_ELEMENTAL,
        ),
    )


_SECOND = tuple(map(_make_second, _FIRST))
RULESETS = (*_FIRST, *_SECOND, *map(_make_third, _SECOND))
