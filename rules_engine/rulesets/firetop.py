"""The three books of Firetop Mountain, by document 000."""

from __future__ import annotations

from dataclasses import replace

from rules_engine.rules import Difference, Rules, Ruleset
from rules_engine.rulesets import base
from rules_engine.text import mark_text

_SPELLS = {spell.name: spell for spell in base.SPELLS}

STANDARD: Ruleset = Ruleset(
    name="firetop-standard",
    edition=1,
    own_title="Firetop Mountain, Standard",
    own_summary=mark_text("the whole book of the old server"),
    book_name="Standard",
    series=base.SERIES,
    once=base.ONCE,
    spells=_SPELLS,
    rules=Rules(),
    normal=base.NORMAL,
    hastened=base.HASTENED,
    stopped=base.STOPPED,
)

_CLASSIC_SERIES = {text: spell for text, spell in base.SERIES.items() if text not in ("cWSSW", "SPPFD")}

CLASSIC: Ruleset = replace(
    STANDARD,
    name="firetop-classic",
    own_title="Firetop Mountain, Classic",
    own_summary=mark_text("the older book, with a different Fire Elemental"),
    book_name="Classic",
    series={**_CLASSIC_SERIES, "cSWPP": "Summon Fire Elemental"},
    differences=(
        Difference("Summon Fire Elemental is c S W P P instead of c W S S W.", "FM-ELEM-2"),
        Difference("Time Stop has only the series S P P c.", "FM-TIMESTOP-1"),
    ),
)

MONSTER_SPELLS = ("Summon Goblin", "Summon Ogre", "Summon Troll", "Summon Giant", "Charm Monster")

NOMONSTERS: Ruleset = replace(
    STANDARD,
    name="firetop-nomonsters",
    own_title="Firetop Mountain, NoMonsters",
    own_summary=mark_text("no creatures except elementals"),
    book_name="NoMonsters",
    series={text: spell for text, spell in base.SERIES.items() if spell not in MONSTER_SPELLS},
    differences=(
        Difference("No Summon Goblin, Ogre, Troll or Giant, and no Charm Monster. Elementals remain.", "FM-ORDNEW-15"),
    ),
)

FIRED_BOLT = Difference("A Lightning Bolt from the bank never uses up the one with W D D c.", "FM-BOLT-4")
OTHER_ELEMENTAL = Difference(
    "A Resist Heat on an ice elemental, or a Resist Cold on a fire elemental, does nothing.", "FM-RHEAT-6 FM-RCOLD-4"
)
RAISED_AND_KILLED = Difference(
    "A creature that is raised and gets a Finger Of Death in the same turn falls dead before it attacks.",
    "FM-RAISE-13 FM-FOD-5",
)
FALLING_APART = Difference(
    "No Raise Dead and no cure saves a creature from a Remove Enchantment of the same turn.", "FM-REMENCH-6"
)
HELD_ELEMENTAL = Difference(
    "A permanent Paralysis or Amnesia holds an elemental in every turn.", "FM-PERM-3 FM-PARA-8 FM-AMNESIA-3"
)

STOPPED_STABS = Difference(
    "In stopped time, only the victim and those outside time learn whose stab it is.", "FM-TIMESTOP-3"
)


def correct(rules: Rules) -> Rules:
    """Return rules as the book speaks plainly: for the second edition, and for the third of Waving Hands."""
    return replace(
        rules,
        fired_bolt_is_free=True,
        resist_spares_other_elemental=True,
        death_undoes_raising=True,
        falling_apart_is_final=True,
        elementals_stay_held=True,
        stopped_acts_are_secret=True,
        contested_raising_is_told=True,
    )


def make_second(first: Ruleset) -> Ruleset:
    """Return the second edition: corrections after the book."""
    return replace(
        first,
        edition=2,
        rules=replace(correct(first.rules), permanent_mind_spells_stay=True),
        differences=(
            *first.differences,
            FIRED_BOLT,
            OTHER_ELEMENTAL,
            RAISED_AND_KILLED,
            FALLING_APART,
            HELD_ELEMENTAL,
            Difference("A Charm Person does nothing to a mage under a permanent one.", "FM-PERM-3"),
            STOPPED_STABS,
        ),
    )


_FIRST = (STANDARD, CLASSIC, NOMONSTERS)
RULESETS = (*_FIRST, *map(make_second, _FIRST))
