"""Spellcast, the program of document 002: Waving Hands for up to eight, with targets chosen after the gestures."""

from __future__ import annotations

from dataclasses import replace

from rules_engine.gestures import NOTHING
from rules_engine.rules import Difference, Ruleset
from rules_engine.rulesets import waving_hands
from rules_engine.spells import FOE
from rules_engine.steps.decisions import ask_decisions, ask_elementals
from rules_engine.text import mark_text

_RULES = replace(
    waving_hands.RULES,
    targets_are_decided=True,
    spells_miss_the_invisible=True,
    effects_are_told_to_all=True,
    blind_sense_castings=True,
    elementals_find_the_invisible=True,
    elementals_can_be_charmed=True,
    elementals_can_be_raised=False,
    fear_makes=NOTHING,
    mirror_returns_harm_only=True,
    two_mirrors_break=True,
    like_charms_cancel=True,
    powers_catch_their_own_turn=False,
    removal_undoes_creation=False,
    stab_at_oneself=True,
)

# The target of an elemental's spell chooses its kind: in a second stop, because the first one decides the target.
_DECIDED = waving_hands.NORMAL.index(ask_decisions) + 1
_DECIDED_OUTSIDE_TIME = waving_hands.STOPPED.index(ask_decisions) + 1

_SPELLS = {
    **waving_hands.SPELLS,
    "Charm Monster": replace(waving_hands.SPELLS["Charm Monster"], default=FOE, clause="SC-ENCH-7"),
    "Fear": replace(waving_hands.SPELLS["Fear"], clause="SC-ENCH-11"),
    "Delay Effect": replace(waving_hands.SPELLS["Delay Effect"], can_be_permanent=False, clause="SC-ENCH-22"),
}

PROGRAM = Ruleset(
    name="spellcast",
    edition=1,
    own_title="Spellcast",
    own_summary=mark_text("targets are chosen once the gestures are shown"),
    book_name="Spellcast",
    series=waving_hands.SERIES,
    once=waving_hands.PAPER.once,
    spells=_SPELLS,
    rules=_RULES,
    normal=(*waving_hands.NORMAL[:_DECIDED], ask_elementals, *waving_hands.NORMAL[_DECIDED:]),
    hastened=waving_hands.PAPER.hastened,
    stopped=(
        *waving_hands.STOPPED[:_DECIDED_OUTSIDE_TIME],
        ask_elementals,
        *waving_hands.STOPPED[_DECIDED_OUTSIDE_TIME:],
    ),
    differences=(
        *(d for d in waving_hands.DIFFERENCES if d.clause not in ("WH-ENCH-24", "WH-END-4", "WH-PROT-2")),
        Difference("Mages choose targets once all gestures are shown.", "SC-TURN-2 SC-TURN-3"),
        Difference("Spells at an invisible mage miss; elementals still hit.", "SC-ENCH-18"),
        Difference("The blind sense which spells are cast.", "SC-ENCH-15"),
        Difference("A mirror lets through spells that mages usually cast on themselves.", "SC-PROT-2"),
        Difference("A spell between two mirrors is lost.", "SC-PROT-1"),
        Difference("Two Charms or Paralyses of one kind on the same being cancel each other.", "SC-ENCH-33"),
        Difference("Elementals can be charmed, but not raised.", "SC-ENCH-7 SC-PROT-3"),
        Difference("If a hand plays a gesture that Fear forbids, it does nothing.", "SC-ENCH-11"),
        Difference("Delay Effect and Permanency work from next turn; Delay Effect cannot be permanent.", "SC-ENCH-24"),
    ),
    most_mages=8,
    mage_names=("White", "Black", "Red", "Green", "Blue", "Yellow", "Orange", "Purple"),
    letters={
        "invisible": "I",
        "heat_resistant": "H",
        "cold_resistant": "C",
        "shielded": "P",
        "blind": "b",
        "sick": "d",
        "poisoned": "p",
    },
)

_PAPERS_SECOND = waving_hands.make_second(PROGRAM)
SECOND = replace(
    _PAPERS_SECOND,
    rules=replace(_PAPERS_SECOND.rules, mirrors_miss_the_invisible=True),
    differences=(
        *_PAPERS_SECOND.differences,
        Difference("A spell that a mirror sends back at an invisible mage misses.", "SC-ENCH-18"),
    ),
)
"""The second edition, with that of Waving Hands."""

_PAPERS_THIRD = waving_hands.make_third(SECOND)
THIRD = replace(
    _PAPERS_THIRD,
    rules=replace(
        _PAPERS_THIRD.rules,
        mirror_casters_are_asked=True,
        creatures_rest_without_master=True,
        last_to_surrender_wins=True,
        own_stab_needs_no_sight=True,
        elementals_have_victims=False,
    ),
    differences=(
        *_PAPERS_THIRD.differences,
        Difference("If you cast a mirror, you choose the hand of a Paralysis or Charm Person it turns back.", "SRC"),
        Difference("When its master dies or surrenders, a monster attacks nobody until it has another.", "SRC"),
        Difference("If you surrender while everyone else dies, you win.", "FM-SURR-5"),
        Difference("A mage who is blind or invisible can stab themselves.", "SC-ENCH-16"),
    ),
)
"""The third edition, with that of Waving Hands, after the program."""

RULESETS = (PROGRAM, SECOND, THIRD)
