"""The outcome of a battle (FM-WIN, FM-SURR; spec: engine 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KILL = "kill"
SURRENDER = "surrender"
ALL_DEAD = "all_dead"
ALL_SURRENDERED = "all_surrendered"
SURRENDERED_LAST = "surrendered_as_last_enemy_died"
FORFEIT = "forfeit"
ALL_FORFEIT = "all_forfeit"
CALLED_OFF = "called_off"
# The league or cup of the duel has ended it: time is up there.
ENDED_BY_LEAGUE = "ended_by_league"
ENDED_BY_CUP = "ended_by_cup"
# Ends that are no result: the battle counts as not played.
NO_RESULT = frozenset({CALLED_OFF, ENDED_BY_LEAGUE, ENDED_BY_CUP})
# A draw on which both players of a duel agreed.
AGREED = "agreed"
# Decided by a janitor, regardless of the game.
DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a battle: the winners (none in a draw), the reason, and the fate of the others."""

    type: str
    winners: tuple[str, ...]
    reason: str
    dead: tuple[str, ...]
    surrendered: tuple[str, ...]
    sharing: tuple[str, ...] = ()
    """The mages who share the points of a draw: the last of a melee, who surrendered together (FM-SURR-7)."""
    absent: tuple[str, ...] = ()
    """The mages who never gave an order, and left without dying or surrendering."""
    by: str = ""
    """The mage whose player called the battle off at its start, or offered the draw."""
    turn: str = ""
    """The turn in which the players ended it, by its label. It was not played."""


def write_outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return an outcome as JSON values."""
    if outcome is None:
        return None
    return {
        "type": outcome.type,
        "winners": list(outcome.winners),
        "reason": outcome.reason,
        "dead": list(outcome.dead),
        "surrendered": list(outcome.surrendered),
        "sharing": list(outcome.sharing),
        **({"absent": list(outcome.absent)} if outcome.absent else {}),
        **({"by": outcome.by} if outcome.by else {}),
        **({"turn": outcome.turn} if outcome.turn else {}),
    }


def read_outcome(data: Mapping[str, Any] | None) -> Outcome | None:
    """Return the outcome that `write_outcome` wrote."""
    if data is None:
        return None
    return Outcome(
        data["type"],
        tuple(data["winners"]),
        data["reason"],
        tuple(data["dead"]),
        tuple(data["surrendered"]),
        tuple(data.get("sharing", ())),
        tuple(data.get("absent", ())),
        data.get("by", ""),
        data.get("turn", ""),
    )
