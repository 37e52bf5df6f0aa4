"""Programs that follow a script: each hand casts its spells in order, whatever the foe does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine.bots.chance import Chance
from rules_engine.bots.pool.reading import HARMLESS, Table
from rules_engine.gestures import BOW, SURRENDER

FIRST_CHOICES = (
    *("Finger Of Death", "Poison", "Disease", "Fire Storm", "Ice Storm", "Fireball", "Lightning Bolt", "Paralysis"),
    *("Summon Giant", "Summon Troll", "Summon Ogre", "Summon Goblin", "Cause Heavy Wounds", "Resist Heat"),
    *("Resist Cold", "Protection", "Magic Missile", "Shield"),
)


@dataclass(frozen=True, slots=True)
class Script:
    """The series of each hand, in order. The last ones, from `again` on, are repeated for ever.

    A small letter is played by both hands, as in the spell tables.
    """

    left: Sequence[str]
    right: Sequence[str]
    again: int = 1

    def __call__(self, table: Table, chance: Chance) -> tuple[str, Sequence[str]]:
        left = _next(table.me.left, self.left, self.again)
        right = _next(table.me.right, self.right, self.again)
        for gesture in (left, right):
            if gesture.islower():
                return gesture.upper() * 2, FIRST_CHOICES
        if left + right == SURRENDER:
            right = HARMLESS
        return left + right, FIRST_CHOICES


def _next(made: str, queue: Sequence[str], again: int) -> str:
    """Return the next gesture of a hand that has made these, with a small letter where both hands must play it."""
    left = made.removeprefix(BOW)
    place = 0
    while True:
        text = queue[place]
        end = left.find(text.upper())
        if end < 0:
            break
        left = left[end + len(text) :]
        place = place + 1 if place + 1 < len(queue) else max(len(queue) - again, 0)
    begun = max(length for length in range(len(text)) if left.endswith(text[:length].upper()))
    return text[begun]


# One hand holds the other mage turn after turn, the other poisons, and then does harm.
HOLDER = Script(left=("FFF", "F"), right=("DWWFWD", "SD"))
HOLDER_WITH_BOLTS = Script(left=("FFF", "F"), right=("DFFDD", "FSSDD"))
# Storms from behind a resistance.
STORMER = Script(left=("WWFP", "SWWc"), right=("WFP", "SD"))
# Ever larger creatures from both hands.
SUMMONER = Script(left=("SFW", "PSFW", "FPSFW", "WFPSFW"), right=("WFPSFW", "PSFW", "SFW"), again=3)
# A shield in every turn, while the other hand prepares harm.
WAITER = Script(left=("P",), right=("FSSDD", "DFFDD", "WPFD"), again=3)
# A Finger Of Death as fast as it goes, then again.
RUSHER = Script(left=("PWPFSSSD",), right=("SD", "WDD", "DFW"), again=1)
# Poison and disease, then whatever heals.
POISONER = Script(left=("DWWFWD", "DFW"), right=("WWP", "DSFFFc", "WWP"), again=1)
