"""The names of rulesets, paces and stakes, for the description of the API.

They describe only: services check what is sent, and name the nearest.
"""

from collections.abc import Callable, Iterable
from typing import Any

from duels.paces import ALL_PACES, OWN, PACES
from duels.terms import list_known_rulesets, list_rulesets
from ladder.stakes import OFFERED_STAKES, STAKES

Describe = Callable[[dict[str, Any]], None]


def one_of(names: Iterable[str]) -> Describe:
    """Return what lists the names as the values of a member. A default that is none of them means: left out."""
    known = list(names)

    def describe(schema: dict[str, Any]) -> None:
        schema["enum"] = known
        if schema.get("default") not in known:
            schema.pop("default", None)

    return describe


# What players can choose from.
NEW_RULESET = one_of(name for name, _title in list_rulesets())
NEW_PACE = one_of(PACES)
NEW_PACE_WITH_BOT = one_of((OWN, *PACES))
NEW_STAKES = one_of(OFFERED_STAKES)
# What a battle can have.
RULESET = one_of(list_known_rulesets())
PACE = one_of(ALL_PACES)
STAKES_OF_BATTLE = one_of(STAKES)
