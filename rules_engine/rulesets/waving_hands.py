"""Waving Hands, the paper game for two wizards: documents 001 and 003; the printed game decides."""

from __future__ import annotations

from dataclasses import replace

from rules_engine import effects as e
from rules_engine import mutual_mind_spells as c
from rules_engine.minds import apply_charm_monster, apply_mark
from rules_engine.occasions import Step
from rules_engine.rules import CharmedVictim, Choice, Difference, HasteKind, Rules, Ruleset
from rules_engine.rulesets import base, firetop
from rules_engine.spells import FOE, NO_TARGET, SELF, Spell
from rules_engine.steps.casting import announce_spells
from rules_engine.steps.decisions import ask_decisions
from rules_engine.steps.opening import wear_off_minds
from rules_engine.summoning import summon_either
from rules_engine.text import mark_text

RULES: Rules = Rules(
    spells_miss_the_invisible=False,
    invisible_work_is_hidden=False,
    castings_of_unseen_are_seen=True,
    haste=HasteKind.TWO_PAIRS,
    haste_begins_next_turn=True,
    charmed_monster_attacks=CharmedVictim.OPPONENT,
    confusion_keeps_its_first=True,
    amnesia_keeps_victim=True,
    paralysed_monsters_stop_next=True,
    powers_take_the_next=True,
    powers_catch_their_own_turn=True,
    removal_undoes_creation=True,
    stab_at_oneself=False,
)

CHANGED = {
    "Paralysis": {
        "effect": c.clashing(c.apply_paralysis_at_once, joins=True),
        "decision": "PARALYZE",
        "clause": "WH-ENCH-13",
    },
    "Amnesia": {"effect": c.clashing(c.apply_amnesia_to_all, joins=True), "clause": "WH-ENCH-2"},
    "Fear": {"effect": c.clashing(c.apply_fear_to_mages, joins=True), "clause": "WH-ENCH-17"},
    "Confusion": {"effect": c.clashing(apply_mark, joins=True), "clause": "WH-ENCH-7"},
    "Charm Monster": {"effect": c.clashing(apply_charm_monster, joins=True), "default": FOE, "clause": "WH-ENCH-12"},
    "Charm Person": {
        "effect": c.clashing(c.apply_charm_at_once, joins=True),
        "decision": "CHARM",
        "clause": "WH-ENCH-8",
    },
    "Haste": {"effect": e.set_mark(4), "clause": "WH-ENCH-26"},
    "Remove Enchantment": {"default": SELF},
}


def make_spells() -> dict[str, Spell]:
    """Return the base's spells with their changes, and the one that summons either kind of elemental."""
    spells: dict[str, Spell] = {}
    for spell in base.SPELLS:
        spells[spell.name] = replace(spell, **CHANGED.get(spell.name, {}))  # type: ignore[arg-type]
        if spell.name == "Summon Ice Elemental":
            spells["Summon Elemental"] = Spell(
                "Summon Elemental",
                "WH-SUM-3",
                base.SUMMONS,
                NO_TARGET,
                summon_either,
                e.fizzle,
                may_be_aimed=True,
                needs_subject=True,
                decision="ELEMENTAL",
            )
    return spells


SPELLS: dict[str, Spell] = make_spells()

_ABSENT = ("SPFP", "SPPFD", "cWSSW", "cSWWS")
SERIES: dict[str, str] = {
    **{text: spell for text, spell in base.SERIES.items() if text not in _ABSENT},
    "SPF": "Anti Spell",
    "cSWWS": "Summon Elemental",
}

# Questions that only the caster can answer come once all gestures are shown, before any spell works.
_after_gestures = base.NORMAL.index(wear_off_minds)
_before_spells = base.STOPPED.index(announce_spells)
NORMAL: tuple[Step, ...] = (*base.NORMAL[:_after_gestures], ask_decisions, *base.NORMAL[_after_gestures:])
STOPPED: tuple[Step, ...] = (*base.STOPPED[:_before_spells], ask_decisions, *base.STOPPED[_before_spells:])

DIFFERENCES: tuple[Difference, ...] = (
    Difference("Anti Spell is S P F.", "WH-ENCH-18"),
    Difference("Time Stop has only the series S P P c.", "WH-ENCH-19"),
    Difference(
        "One spell, c S W W S, summons an elemental; its target chooses the kind once all gestures are shown.",
        "WH-SUM-3 WH-SUM-4 WH-SUM-5",
    ),
    Difference(
        "The hand for a Paralysis or Charm Person is chosen in the turn in which it is cast.", "WH-ENCH-8 WH-ENCH-13"
    ),
    Difference("Any two different mind spells on the same being cancel each other.", "WH-ENCH-2 WH-ENCH-16"),
    Difference("Fear does nothing to creatures.", "WH-ENCH-17"),
    Difference("A paralysed creature does not attack in the next turn; elementals still do.", "WH-ENCH-15"),
    Difference("A creature with Amnesia repeats this turn's attack in the next turn.", "WH-ENCH-1"),
    Difference("A charmed creature attacks its new master's opponent unless its master names a victim.", "WH-TURN-12"),
    Difference("Delay Effect and Permanency work on the next spell that fits.", "WH-ENCH-31 WH-ENCH-34"),
    Difference("A permanent Confusion keeps its first hand and gesture.", "WH-ENCH-40"),
    Difference("Spells aimed at an invisible mage hit, as in the printed game.", "WH-ENCH-24"),
    Difference("Everyone sees what an invisible mage's spells do.", "WH-ENCH-23"),
    Difference(
        "Haste begins in the next turn: for three turns, the mage plays two pairs of gestures a turn, which take effect"
        " together; a hastened creature strikes twice, and may have another target for the second attack.",
        "WH-ENCH-26 WH-ENCH-27 WH-ENCH-29",
    ),
    Difference("Without a target, Remove Enchantment goes to you and Charm Monster to your opponent.", "WH-TURN-8"),
    Difference(
        "Remove Enchantment on a mage who is creating a monster destroys that too, after its attack.", "WH-PROT-2"
    ),
    Difference("You cannot stab yourself.", "WH-END-4"),
)

FAMILY = "waving-hands"
CHOICES = (
    Choice(
        "charm",
        "Charm Person",
        (
            ("any", mark_text("Charm Person may make a hand do nothing")),
            ("active", mark_text("Charm Person may not make a hand do nothing")),
        ),
    ),
)

PAPER: Ruleset = Ruleset(
    name=FAMILY,
    edition=1,
    own_title="Waving Hands",
    own_summary=mark_text("the paper game, with questions once the gestures are shown"),
    family=FAMILY,
    choices=CHOICES,
    chosen={"charm": "any"},
    book_name="Waving Hands",
    series=SERIES,
    once=base.ONCE,
    spells=SPELLS,
    rules=RULES,
    normal=NORMAL,
    hastened=base.HASTENED,
    stopped=STOPPED,
    differences=DIFFERENCES,
)

HOUSE_RULE = replace(
    PAPER,
    name="waving-hands-active",
    chosen={"charm": "active"},
    rules=replace(RULES, charm_may_impose_nothing=False),
    differences=(*DIFFERENCES, Difference("Charm Person may not make a hand do nothing.", "WH-ENCH-10")),
)
"""With the house rule of document 003."""

SECOND_DIFFERENCES: tuple[Difference, ...] = (
    Difference("All who can see learn what an invisible mage loses and gains.", "WH-ENCH-23"),
    Difference("PERMANENT and DELAY for a hand that casts nothing suitable leave the power.", "WH-ENCH-31 WH-ENCH-34"),
    Difference("Permanency does not work on a spell from the bank.", "WH-ENCH-37"),
)


def make_second(first: Ruleset) -> Ruleset:
    """Return the second edition: results on the unseen are told, and a power waits for its spell."""
    return replace(
        first,
        edition=2,
        rules=replace(
            first.rules, results_on_unseen_are_told=True, power_waits_for_its_spell=True, banked_is_never_permanent=True
        ),
        differences=(*first.differences, *SECOND_DIFFERENCES),
    )


THIRD_DIFFERENCES: tuple[Difference, ...] = (
    firetop.FIRED_BOLT,
    firetop.OTHER_ELEMENTAL,
    firetop.RAISED_AND_KILLED,
    firetop.FALLING_APART,
    firetop.STOPPED_STABS,
    Difference("In stopped time, your own shields, resistances and mirrors protect you.", "FM-TIMESTOP-4"),
)


def make_third(second: Ruleset) -> Ruleset:
    """Return the third edition: corrections that Firetop Mountain gets too, and one of stopped time."""
    return replace(
        second,
        edition=3,
        rules=replace(firetop.correct(second.rules), stopped_keep_their_defences=True),
        differences=(*second.differences, *THIRD_DIFFERENCES),
    )


def make_papers_third(second: Ruleset) -> Ruleset:
    """Return the third edition of the paper game: powers of others catch spells of their own turn, and in stopped time
    mind spells at monsters are no turn late."""
    third = make_third(second)
    return replace(
        third,
        rules=replace(third.rules, gifts_catch_their_own_turn=True, stopped_minds_hold_next=True),
        differences=(
            *third.differences,
            Difference(
                "A Delay Effect or Permanency of another mage also works on the spell that you complete in its turn.",
                "WH-ENCH-31 WH-ENCH-34",
            ),
            Difference(
                "A Paralysis or Amnesia cast at a monster in stopped time works in the turn that follows.",
                "WH-ENCH-1 WH-ENCH-15",
            ),
        ),
    )


_FIRST = (PAPER, HOUSE_RULE)
_SECOND = tuple(map(make_second, _FIRST))
RULESETS = (*_FIRST, *_SECOND, *map(make_papers_third, _SECOND))
