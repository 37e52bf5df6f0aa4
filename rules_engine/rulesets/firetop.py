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

RULESETS = (STANDARD, CLASSIC, NOMONSTERS)
