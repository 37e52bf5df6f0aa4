"""Waving Hands, the paper game: as far as its printed game goes (documents 001 and 003)."""

from __future__ import annotations

from rules_engine.rulesets import base, firetop
from rules_engine.rulesets.rules import Difference, Rules, Ruleset

# The one summoning of an elemental, whose kind its subject chooses, is not in the printed game.
_ABSENT = ("SPFP", "SPPFD", "cWSSW", "cSWWS")

PRINTED = Ruleset(
    name="waving-hands",
    edition=1,
    title="Waving Hands, as far as its printed game",
    book_name="Waving Hands",
    series={**{text: spell for text, spell in base.SERIES.items() if text not in _ABSENT}, "SPF": "Anti Spell"},
    once=base.ONCE,
    spells={spell.name: spell for spell in base.SPELLS},
    rules=Rules(spells_miss_the_invisible=False, invisible_work_is_hidden=False),
    normal=base.NORMAL,
    hastened=base.HASTENED,
    stopped=base.STOPPED,
    differences=(
        *firetop.STANDARD.differences,
        Difference("Anti Spell is S P F.", "WH-ENCH-18"),
        Difference("Time Stop has only the series S P P c.", "WH-ENCH-19"),
        Difference("No elementals: the one spell that summons them is left out.", "WH-SUM-3"),
        Difference("Spells aimed at an invisible wizard hit, as in the printed game.", "WH-ENCH-24"),
        Difference("What an invisible wizard's spells do is seen.", "WH-ENCH-23"),
    ),
    offered=False,
)

RULESETS = (PRINTED,)
