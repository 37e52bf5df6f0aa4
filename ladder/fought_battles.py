"""The facts of a finished battle that the ladder needs, as plain values, so that it need not know duels."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

# The engine's word for a draw on which both players agreed.
AGREED = "agreed"
SideResult = Literal["won", "lost", "drew"]
End = Literal["lived", "died", "surrendered"]


@dataclass(frozen=True)
class SpellFacts:
    """One spell that one mage cast: how often, and how often with each result. The results add up to `cast`."""

    spell: str
    cast: int
    worked: int = 0
    countered: int = 0
    reflected: int = 0
    shielded: int = 0
    failed: int = 0


@dataclass(frozen=True)
class FeatFacts:
    """A feat of a mage (a FeatKind) and its turn."""

    kind: str
    turn: str


@dataclass(frozen=True)
class SideFacts:
    """One mage of the battle. `opening` are its first pairs of gestures, left before right, as openings are counted."""

    mage_id: int
    user_id: int
    result: SideResult
    end: End
    hit_points: int
    opening: tuple[str, ...]
    spells: tuple[SpellFacts, ...]
    feats: tuple[FeatFacts, ...]


@dataclass(frozen=True)
class FoughtBattle:
    """A finished battle that is not annulled. `ending` is the engine's word for how it ended."""

    number: int
    kind: Literal["duel", "melee"]
    practice: bool
    ruleset: str
    edition: int
    turns: int
    ending: str
    started_at: datetime
    finished_at: datetime
    sides: tuple[SideFacts, ...]
