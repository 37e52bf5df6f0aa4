"""The options of a ruleset, and the ruleset each value leads to."""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine import RULESETS, Ruleset


@dataclass(frozen=True)
class Way:
    """One value of one option; `name` is the ruleset that differs from the current one only in this."""

    words: str
    name: str
    current: bool


def list_ways(ruleset: Ruleset) -> list[list[Way]]:
    """Return the values of each option of the ruleset's family, in order."""
    kin = [each for each in RULESETS.values() if ruleset.family and each.family == ruleset.family]
    found = []
    for choice in ruleset.choices:
        ways = []
        for value, words in choice.values:
            wanted = {**ruleset.chosen, choice.key: value}
            name = next(each.name for each in kin if each.chosen == wanted)
            ways.append(Way(f"{choice.title} {words}", name, value == ruleset.chosen[choice.key]))
        found.append(ways)
    return found
