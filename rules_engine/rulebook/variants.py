"""Sentences for some rulesets only, and sentences that several spells share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules_engine.rules import Ruleset


@dataclass(frozen=True)
class Variants:
    """A sentence for each value of one point of `Rules`; none for a value that is not listed."""

    point: str
    texts: Mapping[object, str]

    def pick(self, ruleset: Ruleset) -> str:
        """Return the sentence of this ruleset, or ""."""
        return self.texts.get(getattr(ruleset.rules, self.point), "")


@dataclass(frozen=True)
class Readings:
    """A sentence for each document of a spell's clause ("FM", "WH", "SC", "WL"); for others that of "FM"."""

    spell: str
    texts: Mapping[str, str]

    def pick(self, ruleset: Ruleset) -> str:
        """Return the sentence of this ruleset, or ""."""
        document = ruleset.spells[self.spell].clause.partition("-")[0]
        return self.texts.get(document, self.texts["FM"])


def either(point: str, text: str, otherwise: str = "") -> Variants:
    """Return one sentence if that point is true; another, or none, if it is false."""
    return Variants(point, {True: text, False: otherwise})


MINDS = Readings(
    "Paralysis",
    {
        "FM": "Mind spells are {minds}: two of them on one target in a turn cancel each other, even two of a kind, but "
        "when a Paralysis meets another of them only the Paralysis fails.",
        "WH": "Mind spells are {minds}: two {differing} on one target in a turn cancel each other, {alike}.",
        "WL": "Mind spells are {minds}: two of them on one target in a turn cancel each other, even two of a kind.",
    },
)
PERMANENT_MINDS = Readings(
    "Paralysis", {"FM": "", **dict.fromkeys(("WH", "WL"), "Against a permanent mind spell, a later one does nothing.")}
)
ONE_CHOOSES = Readings("Paralysis", {"FM": "", "WH": "{one_chooses}", "WL": ""})
ONE_MASTERS = Readings("Paralysis", {"FM": "", "WH": "{one_masters}", "WL": ""})
ILLNESS = Readings(
    "Disease",
    {
        "FM": "The target, mage or creature, dies at the end of the sixth turn, counting this one.",
        "WL": "A mage dies at the end of the sixth turn after this one; a creature dies this turn, once it has "
        "attacked.",
    },
)
OF_ILLNESS = (
    either(
        "illness_counts_extra_turn",
        "Hastened and stopped turns do not count, except the one in which it is cast.",
        "Hastened and stopped turns do not count.",
    ),
    "Casting it again on the same target changes nothing.",
)
BOLT = "Shields and resistances do not stop it."
ANY_ELEMENTAL = (
    "From this turn on, it does {elemental} damage a turn to everyone, yourself included; it obeys nobody.",
    "It and an elemental of the other kind destroy each other before attacking; two of a kind merge at full strength.",
)
SEEN_BY_ALL = either(
    "haste_begins_next_turn",
    "In each of the next three turns the target plays two pairs of gestures, which everyone sees and which take "
    "effect together.",
    "After this turn and after each of the next two, the target alone plays an extra turn, which everyone sees.",
)
