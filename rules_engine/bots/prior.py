"""The worth of spells, wounds and enchantments before any fitting.

The unit is the logarithm of odds: adding 1 multiplies the odds of winning by e. Fitted weights start from here, and
stay near it if there are few examples.
"""

from __future__ import annotations

import math

from rules_engine.beings import MONSTER_HP
from rules_engine.spells import Book

SPELL_WORTH = {
    "Dispel Magic": 0.3,
    "Counter Spell": 0.5,
    "Magic Mirror": 0.35,
    "Summon Goblin": 0.8,
    "Summon Ogre": 1.2,
    "Summon Troll": 1.6,
    "Summon Giant": 2.0,
    "Summon Fire Elemental": 0.7,
    "Summon Ice Elemental": 0.7,
    "Summon Elemental": 0.7,
    "Raise Dead": 0.4,
    "Haste": 1.2,
    "Time Stop": 1.0,
    "Protection": 0.7,
    "Resist Heat": 0.3,
    "Resist Cold": 0.3,
    "Paralysis": 1.0,
    "Amnesia": 0.8,
    "Fear": 0.6,
    "Confusion": 0.6,
    "Maladroitness": 0.7,
    "Charm Monster": 0.2,
    "Charm Person": 0.7,
    "Disease": 2.0,
    "Poison": 2.2,
    "Cure Light Wounds": 0.2,
    "Cure Heavy Wounds": 0.4,
    "Anti Spell": 0.9,
    "Blindness": 1.5,
    "Invisibility": 1.3,
    "Permanency": 0.9,
    "Delay Effect": 0.7,
    "Remove Enchantment": 0.3,
    "Shield": 0.15,
    "Magic Missile": 0.3,
    "Cause Light Wounds": 0.6,
    "Cause Heavy Wounds": 0.9,
    "Lightning Bolt": 1.5,
    "Clap of Lightning": 1.5,
    "Fireball": 1.5,
    "Finger Of Death": 6.0,
    "Fire Storm": 0.9,
    "Ice Storm": 0.9,
}
"""The worth of completing a spell."""

OFTEN = (("FDFD", "Paralysis", 0.1),)
"""(series, spell, its worth in books with that series). F D F D casts Paralysis in every turn, so that each one holds a
hand of the foe no longer than it keeps a hand of the caster busy."""

HARM_POINTS = {
    "Magic Missile": 1,
    "Cause Light Wounds": 2,
    "Cause Heavy Wounds": 3,
    "Lightning Bolt": 5,
    "Clap of Lightning": 5,
    "Fireball": 5,
    "Fire Storm": 5,
    "Ice Storm": 5,
    "Finger Of Death": 1000,
}
CURE_POINTS = {"Cure Light Wounds": 1, "Cure Heavy Wounds": 2, "Raise Dead": 5}

NEARER = 0.55
"""The factor on a spell's worth for each missing gesture."""
SECOND_THOUGHTS = 0.3
"""The factor on the other spells that a hand has begun, besides the best."""

MARK_WORTH = {
    "shielded": (0.1, 0.15),
    "fast": (0.3, 0.3),
    "blind": (-0.6, -0.25),
    "invisible": (0.5, 0.25),
    "sick": (-3.6, 0.35),
    "poisoned": (-4.0, 0.35),
    "paralysed": (-0.8, 0.0),
    "forgetful": (-0.7, 0.0),
    "afraid": (-0.5, 0.0),
    "confused": (-0.5, 0.0),
    "maladroit": (-0.6, 0.0),
    "charmed": (-0.7, 0.0),
    "permanency": (0.5, 0.0),
    "delay": (0.4, 0.0),
    "heat_resistant": (0.15, 0.0),
    "cold_resistant": (0.15, 0.0),
    "countering": (0.1, 0.0),
    "reflecting": (0.1, 0.0),
    "time_stopped": (0.8, 0.0),
}
"""mark → (the worth of having it, and of each turn of it)."""
LONGEST_MARK = 7
LARGEST_PACK = 9
PACK_MOST, PACK_FADES = 2.2, 0.75
FOR_GOOD = -1


def worths_of(book: Book) -> dict[str, float]:
    texts = {series.text for series in book.series}
    return {**SPELL_WORTH, **{spell: worth for text, spell, worth in OFTEN if text in texts}}


def worth_of_state(book: Book, state: int) -> float:
    """Return the worth of a hand in this state of the automaton."""
    worths = worths_of(book)
    promises = sorted(
        (worths.get(series.spell, 0.5) * NEARER ** (len(series.text) - made) for series, made in book.begun(state)),
        reverse=True,
    )
    return promises[0] + SECOND_THOUGHTS * sum(promises[1:]) if promises else 0.0


def worth_of_hit_points(points: int) -> float:
    """Return the worth of hit points: the last ones count most."""
    return 0.12 * points + 1.2 * math.log(1 + max(points, 0))


def worth_of_mark(mark: str, turns: int) -> float:
    """Return the worth of an enchantment on a mage; -1 turns is permanent."""
    bearing, each = MARK_WORTH.get(mark, (0.0, 0.0))
    if turns == FOR_GOOD:
        return bearing * 2 + each * LONGEST_MARK
    return bearing + each * min(turns, LONGEST_MARK)


def worth_of_pack(strength: int) -> float:
    """Return the worth of creatures with this total strength. More add less and less, because a shield stops them
    all."""
    return PACK_MOST * (1.0 - PACK_FADES**strength)


def worth_of_monster(kind: str) -> float:
    return worth_of_pack(MONSTER_HP[kind])


REMEDIES = {
    "sick": frozenset({"Remove Enchantment", "Dispel Magic", "Cure Heavy Wounds"}),
    "poisoned": frozenset({"Remove Enchantment", "Dispel Magic"}),
}
"""Remedies for each illness."""
IN_TIME = (0.0, 2.8, 2.4, 2.1, 1.8, 1.6, 1.4, 1.3)
"""The worth of a remedy in time, by the number of missing gestures."""
DOOMED = -3.0


BREAKERS = frozenset({"Lightning Bolt", "Fireball"})
"""Spells that end a siege: harm that no shield stops, cast by one hand while the other casts shields."""
BREAKS = (0.0, 0.6, 0.45, 0.33, 0.21)


def missing_to_break(book: Book, state: int) -> int:
    """Return how many gestures of one hand are missing to a spell that ends a siege, if none of them is a palm."""
    missing = [
        len(series.text) - made
        for series, made in book.begun(state)
        if series.spell in BREAKERS and series.text.isupper() and "P" not in series.text
    ]
    return min(missing, default=0)


FINISHES = (0.0, 0.9, 0.6, 0.4, 0.25)
"""The worth of being so many gestures from harm that kills the weakest foe."""
WEAK = 5
"""A single spell other than Finger Of Death can kill a mage with so few hit points."""
DUE = (0.0, -1.6, -0.9, -0.5, -0.3, -0.2, -0.1)
"""The cost of creatures that kill in this many turns unless someone stops them."""
GRIPPED = -0.8
"""The cost of being paralysed by a foe who can continue it with the next gesture."""
STOPPERS = frozenset(
    {"Paralysis", "Amnesia", "Fear", "Confusion", "Maladroitness", "Charm Person", "Anti Spell", "Dispel Magic"}
)
"""Spells that stop a Finger Of Death, or prevent its completion."""
LAST_STEPS = 4
STOPS_IN = 3
HELD = frozenset({"paralysed", "forgetful", "afraid", "confused", "maladroit", "charmed"})
"""Marks of a mage who does not fully control their next gestures."""


def missing_to_harm(book: Book, state: int, points: int) -> int:
    """Return how many gestures a hand that has begun needs for `points` of harm; 0 if that is far."""
    missing = [
        len(series.text) - made
        for series, made in book.begun(state)
        if HARM_POINTS.get(series.spell, 0) >= points and len(series.text) - made < len(FINISHES)
    ]
    return min(missing, default=0)


def missing_gestures(book: Book, state: int, spells: frozenset[str]) -> int:
    """Return how many gestures of one hand are missing to the nearest of these spells."""
    begun = [len(series.text) - made for series, made in book.begun(state) if series.spell in spells]
    return min([*begun, *(len(series.text) for series in book.series if series.spell in spells)], default=LONGEST_MARK)


def list_features() -> dict[str, float]:
    """Return the weights of all features except hands."""
    found = {f"hp:{points}": worth_of_hit_points(points) for points in range(1, 17)}
    for mark in MARK_WORTH:
        for turns in (*range(1, LONGEST_MARK + 1), FOR_GOOD):
            found[f"mark:{mark}:{turns}"] = worth_of_mark(mark, turns)
    for strength in range(1, LARGEST_PACK + 1):
        found[f"pack:{strength}"] = worth_of_pack(strength) * 0.6
        found[f"prey:{strength}"] = -worth_of_pack(strength) * 0.4
    found["burnt:FireElemental"] = found["burnt:IceElemental"] = -0.8
    found["bank:harm"] = found["bank:help"] = 0.8
    found["extra"] = 0.8
    for missing in range(1, len(BREAKS)):
        found[f"breaker:{missing}"] = BREAKS[missing]
    found["doomed"] = DOOMED
    found["gripped"] = GRIPPED
    for missing in range(1, len(FINISHES)):
        found[f"finish:{missing}"] = FINISHES[missing]
    for turns in range(1, len(DUE)):
        found[f"due:{turns}"] = DUE[turns]
    for missing in range(1, LAST_STEPS + 1):
        for stop in range(1, STOPS_IN + 1):
            found[f"finger:{missing}:{stop}"] = 0.0
    for missing in range(1, LONGEST_MARK + 1):
        found[f"remedy:{missing}"] = IN_TIME[missing]
    return found
