"""What the ladder is told of a battle that is over: plain values, so that it needs to know nothing of duels."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

SideResult = Literal["won", "lost", "drew"]
End = Literal["lived", "died", "surrendered"]
Fate = Literal["worked", "countered", "reflected", "shielded", "failed"]


@dataclass(frozen=True)
class SpellFacts:
    """One spell that one mage cast: how often, and how often it met each fate. The fates add up to `cast`."""

    spell: str
    cast: int
    worked: int = 0
    countered: int = 0
    reflected: int = 0
    shielded: int = 0
    failed: int = 0


@dataclass(frozen=True)
class FeatFacts:
    """A deed of a mage (a FeatKind) and the turn it was done in."""

    kind: str
    turn: str


@dataclass(frozen=True)
class SideFacts:
    """One mage of the battle. `opening` are his first pairs of gestures, left before right, as lines are counted."""

    mage_id: int
    user_id: int
    result: SideResult
    end: End
    hit_points: int
    opening: tuple[str, ...]
    spells: tuple[SpellFacts, ...]
    feats: tuple[FeatFacts, ...]


@dataclass(frozen=True)
class BattleFacts:
    """A battle that ended and was not annulled. `ending` is the engine's word for how."""

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
