"""The effect of each event on the board: which being, and where on it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules_engine import HURTING, Event

# The places on a being: its hit points, its enchantments, one of its hands, or the being as a whole.
HIT_POINTS, MARKS, WHOLE = "hp", "marks", ""


class Touch(NamedTuple):
    """A place on the board, and by how many hit points it changed (0 for anything else). `falls`: the mage is dead,
    whatever hit points that leaves."""

    being: str
    part: str
    points: int = 0
    falls: bool = False


def find_touch(event: Event) -> Touch | None:
    """Return the event's effect, from its own facts alone, which its audience may know; None if there is none."""
    facts: Mapping[str, Any] = event.facts
    if event.kind in HURTING and facts["points"] is not None:  # a stab of stopped time has them in another event
        return Touch(str(facts[HURTING[event.kind]]), HIT_POINTS, -int(facts["points"] or 0))
    if event.kind == "healed":
        return Touch(str(facts["who"]), HIT_POINTS, int(facts["points"] or 0))
    if event.kind == "mage_dies":
        return Touch(str(facts["who"]), HIT_POINTS, falls=True)
    if facts.get("who") and str(facts.get("hand") or "")[:2] in ("LH", "RH", "BH"):
        hand = str(facts["hand"])[:2]
        return Touch(str(facts["who"]), "LH" if hand == "BH" else hand)
    if event.kind == "spell":
        made = facts.get("creature") if facts.get("outcome") in ("creates", "raises", "joins") else None
        being = made or facts.get("target") or facts.get("creature")
        return Touch(str(being), WHOLE if made else MARKS) if being else None
    if event.kind == "battle_ends":
        return None
    names = ("who",) if event.kind == "casts" else ("target", "who", "creature")
    being = next((facts[name] for name in names if facts.get(name)), None)
    return Touch(str(being), WHOLE) if being else None
