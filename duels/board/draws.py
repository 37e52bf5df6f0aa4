"""A draw by agreement on the battle page: the other player's offer, one's own, and the question before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duels.board.parts import Part
from duels.selectors.draws import DrawChoice


@dataclass(frozen=True)
class Draw(Part):
    """What stands in place: the other player's offer ("offered"), one's own ("own"), that it was declined
    ("declined"), the question whether to make one ("asked"), or nothing. `may_offer`: the menu has the way to that
    question."""

    shows: Literal["", "offered", "own", "declined", "asked"]
    may_offer: bool
    other: str
    turn: str
    from_turn: int
    mage: str
    stage: str
    url: str
    ask_url: str
    back_url: str


def make_draw(
    choice: DrawChoice | None, *, is_asked: bool, mage: str, stage: str, url: str, ask_url: str, back_url: str
) -> Draw | None:
    """Return the part for a player; None where nobody can agree on a draw. `is_asked`: the player wants to offer one
    and has not confirmed it."""
    if choice is None:
        return None
    shows: Literal["", "offered", "own", "declined", "asked"] = ""
    if choice.is_offered:
        shows = "offered"
    elif choice.has_offered:
        shows = "own"
    elif is_asked and choice.may_offer:
        shows = "asked"
    elif choice.was_declined:
        shows = "declined"
    return Draw(
        shows, choice.may_offer, choice.other, choice.turn, choice.from_turn, mage, stage, url, ask_url, back_url
    )
