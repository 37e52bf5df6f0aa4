"""Where the other engine's `warlocks` leaves document 004 or the real games, and how far it is compared."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]

ELEMENTALS = ("summon-fire-elemental", "summon-ice-elemental")
COUNTERED = "an elemental aimed at a countered mage comes all the same there (a real game: it does not)"
SUICIDE = "a mage ends his life by an order there (no document knows it)"


def find_parting(record: Json) -> tuple[int, str | None]:
    """How many turns of the game can be compared, and why no more."""
    for at, turn in enumerate(record["turns"]):
        if is_suicide(turn):
            return at, SUICIDE
        if _is_countered_elemental(turn):
            return at, COUNTERED
    return len(record["turns"]), None


def is_suicide(turn: Json) -> bool:
    """Somebody orders his own end."""
    return any(orders.get("suicide") for orders in turn["orders"].values())


def _is_countered_elemental(turn: Json) -> bool:
    countered = {name for name, marks in turn.get("during", {}).items() if "counter-spell" in marks}
    return any(cast["spell"] in ELEMENTALS and cast["target"] in countered for cast in _aimed(turn))


def _aimed(turn: Json) -> list[Json]:
    return [cast for cast in turn["spells"] if isinstance(cast["target"], str)]
