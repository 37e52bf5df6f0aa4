"""A naive beginner, against whom the weak bots are measured: a plan for each hand, and a shield now and then.

Each hand picks one of the spells that beginners learn first, makes its gestures, and picks the next. What the foe does
makes no difference, except that a beginner who sees harm coming thinks of a shield more often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules_engine.bots.chance import Chance
from rules_engine.bots.pool.judges import HARM
from rules_engine.bots.pool.reading import COLUMNS, HARMLESS, Chooser, Table
from rules_engine.bots.pool.scripts import Script
from rules_engine.gestures import SURRENDER

KNOWN: Final = ("SD", "WFP", "WPFD", "SFW", "PSFW", "DSF", "FFF", "DFFDD", "FSSDD", "DWWFWD")
"""Missile, wounds, goblin, ogre, confusion, paralysis, bolt, fireball, poison (or, in other rulesets, their like)."""
PLANS: Final = 40
SHIELDS: Final = 0.1
SHIELDS_WARNED: Final = 0.3
"""How often a hand is a palm instead; and if harm is to be seen coming."""
HURTS: Final = 2


def make_beginner(seed: object) -> Chooser:
    """Return a beginner; the same seed plans the same."""
    chance = Chance("beginner", seed)
    left, right = ([chance.choose(KNOWN) for _ in range(PLANS)] for _ in "LR")
    plan = Script(left, right)

    def choose(table: Table, chance: Chance) -> tuple[str, Sequence[str]]:
        column, wishes = plan(table, chance)
        if chance.random() < (SHIELDS_WARNED if _sees_harm(table) else SHIELDS):
            column = "P" + column[1] if chance.random() < 0.5 else column[0] + "P"
        return HARMLESS + column[1] if column == SURRENDER else column, wishes

    return choose


def _sees_harm(table: Table) -> bool:
    """Return whether creatures, or the foe's next gestures, may take some hit points."""
    offered = [spell for each in COLUMNS for spells in table.completed(table.foe, each).values() for spell in spells]
    return max(table.strikes_me(), *(HARM.get(spell, 0) for spell in offered), 0) >= HURTS
