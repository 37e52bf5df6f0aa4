"""Sentences that hold under some rulesets only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules_engine.rules import Ruleset


@dataclass(frozen=True)
class Variants:
    """A sentence for each value of one point of `Rules`; no sentence for a value that is not named."""

    point: str
    texts: Mapping[object, str]

    def pick(self, ruleset: Ruleset) -> str:
        """The sentence of this ruleset, or ""."""
        return self.texts.get(getattr(ruleset.rules, self.point), "")


@dataclass(frozen=True)
class Readings:
    """A sentence for each document that a spell's own clause can be of ("FM", "WH", "SC", "WL"); else that of "FM"."""

    spell: str
    texts: Mapping[str, str]

    def pick(self, ruleset: Ruleset) -> str:
        """The sentence of this ruleset, or ""."""
        document = ruleset.spells[self.spell].clause.partition("-")[0]
        return self.texts.get(document, self.texts["FM"])


def either(point: str, text: str, otherwise: str = "") -> Variants:
    """One sentence where that point is true, another or none where it is false."""
    return Variants(point, {True: text, False: otherwise})
