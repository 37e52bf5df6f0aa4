"""A recorded game, whatever its file looks like: orders in, chance in, facts out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.comparison import Excuse


@dataclass(frozen=True)
class Chance:
    """The rolls of one turn. Hands are "LH" and "RH"."""

    confusion: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # mage -> (hand, gesture)
    paralysis: Mapping[str, str] = field(default_factory=dict)  # mage -> the hand that nobody chose
    monster_targets: Mapping[str, str] = field(default_factory=dict)  # confused monster -> its victim
    opponents: Mapping[str, str] = field(default_factory=dict)  # being -> the foe drawn for it


@dataclass(frozen=True)
class LateOrders:
    """The answer to a question in the middle of a turn."""

    mage: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Guess:
    """Order lines that a mage may have sent in addition to the known ones."""

    mage: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RecordedTurn:
    """One turn: order lines per mage, the answers that followed in their order, chance, and the facts afterwards.

    `facts` maps the name of a fact ("Circe hit points") to its value; only the facts that the record knows are there.
    In an order line `@Goblin` stands for the only living monster of that kind.

    Some records have no questions in the turn: then `answers` holds, for each mage, slot -> value for whatever the
    rules may ask (and None says that questions are recorded, in `late`). `newborn` has the mage and hand that made the
    record's monsters, `uncounted` the enchantments that are not compared. An `unseen` turn is recorded incompletely:
    it is not compared, and the state is then corrected from `standing`, as it is after a turn that needed one of the
    `excuses`. The `absent` sent no orders, and the turn was played without them. `skipped` counts, by reason, recorded
    facts that are not compared. `follows` is the label of the next turn and who moves in it, for a corrected state, or
    for any if it `always_follows`. The acts of `hidden` mages are not recorded, nor are the gestures of their
    `unknown_hands`; `guesses` are orders that the record leaves open: the replay tries them.
    """

    label: str
    orders: Mapping[str, tuple[str, ...]]
    late: tuple[LateOrders, ...]
    chance: Chance
    facts: Mapping[str, object]
    answers: Mapping[str, Mapping[str, str]] | None = None
    uncounted: frozenset[str] = frozenset()
    newborn: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    unseen: bool = False
    standing: Mapping[str, Any] = field(default_factory=dict)
    excuses: tuple[Excuse, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    follows: tuple[str, tuple[str, ...]] | None = None
    always_follows: bool = False
    guesses: tuple[Guess, ...] = ()
    hidden: tuple[str, ...] = ()
    unknown_hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class StartingScores:
    duel: Mapping[str, int]
    melee: Mapping[str, int]


@dataclass(frozen=True)
class RecordedGame:
    """A whole game. `colours` is how far the list of monster colours was rotated, `ending` the facts of the end.

    `skipped` counts facts of the game itself that are not compared.
    `excepted` says why a game is not replayed at all, `left_out` which of its facts are not compared and why: both are
    part of the verdict, and such a game counts as passed.
    """

    id: str
    ruleset: str
    book: str | None  # the spell book, if the record names it separately from the ruleset
    mages: tuple[str, ...]
    practice: bool
    colours: int
    scores: StartingScores
    turns: tuple[RecordedTurn, ...]
    ending: Mapping[str, object]
    excepted: str | None = None
    hit_points: Mapping[str, int] = field(default_factory=dict)  # of mages who begin with other than the usual ones
    skipped: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
