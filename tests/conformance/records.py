"""A recorded game, whatever its file looks like: orders in, chance in, facts out."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Chance:
    """What chance brought in one turn. Hands are "LH" and "RH"."""

    confusion: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # mage -> (hand, gesture)
    paralysis: Mapping[str, str] = field(default_factory=dict)  # mage -> the hand that nobody chose
    monster_targets: Mapping[str, str] = field(default_factory=dict)  # confused monster -> whom it attacks


@dataclass(frozen=True)
class LateOrders:
    """The answer to a question in the middle of a turn."""

    mage: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RecordedTurn:
    """One turn: order lines per mage, the answers that followed in their order, chance, and the facts afterwards.

    `facts` maps the name of a fact ("Circe hit points") to its value; only the facts that the record knows are there.
    In an order line `@Goblin` stands for the only living monster of that kind.
    """

    label: str
    orders: Mapping[str, tuple[str, ...]]
    late: tuple[LateOrders, ...]
    chance: Chance
    facts: Mapping[str, object]


@dataclass(frozen=True)
class StartingScores:
    duel: Mapping[str, int]
    melee: Mapping[str, int]


@dataclass(frozen=True)
class RecordedGame:
    """A whole game. `colours` is how far the list of monster colours was turned, `ending` the facts of the end."""

    id: str
    ruleset: str
    book: str | None  # the spell book, where the record names it apart from the ruleset
    mages: tuple[str, ...]
    practice: bool
    colours: int
    scores: StartingScores
    turns: tuple[RecordedTurn, ...]
    ending: Mapping[str, object]
