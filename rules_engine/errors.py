"""The exceptions of the rules engine.

RulesError
├── UnknownRuleset      no such ruleset or edition
├── UnknownState        a stored state with an unknown schema
├── OrdersMissing       a mage who owes orders has none in the sheets
├── BattleOver          the battle has ended; nothing can be advanced
├── UnrecordedRoll      scripted dice have no such roll
├── StepLimit           a turn took more steps than possible
├── InvalidRecord       a game record that cannot be read, with every problem
├── RecordDeparts       a game record that differs from the rules
└── OrdersRejected       orders a mage cannot give, with every problem
    ├── InvalidOrders   not understood
    └── IllegalOrders   understood, not allowed
"""

from __future__ import annotations

from dataclasses import dataclass


class RulesError(Exception):
    """Base class of all exceptions that the rules engine raises on purpose."""


class UnknownRuleset(RulesError):
    """No ruleset of that name and edition."""


class UnknownState(RulesError):
    """A stored state that this version cannot read."""


class OrdersMissing(RulesError):
    """`mages` owe orders that are not in the sheets."""

    def __init__(self, mages: tuple[str, ...]) -> None:
        super().__init__("no orders from " + ", ".join(mages))
        self.mages = mages


class BattleOver(RulesError):
    """The battle has ended."""


class UnrecordedRoll(RulesError):
    """The script has no roll for this purpose and being."""


class RollNotFromSeed(RulesError):
    """A recorded roll is not the one that the battle's seed gives."""

    def __init__(self, roll: str, recorded: str, rolled: str) -> None:
        super().__init__(f"{roll}: recorded {recorded}, but the seed gives {rolled}")
        self.roll, self.recorded, self.rolled = roll, recorded, rolled


class StepLimit(RulesError):
    """More steps than a turn can have: a bug in the engine, never a fault of the orders."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with orders: where (1-based line), what was written, why, and the nearest valid form."""

    line: int
    text: str
    code: str
    message: str
    nearest: str | None = None


class InvalidRecord(RulesError):
    """A game record that cannot be read; `problems` names every wrong line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"line {p.line}: {p.message}" for p in problems))
        self.problems = problems


class RecordDeparts(RulesError):
    """A game record that differs from the rules: `turn` is the label of the first turn where it does."""

    def __init__(self, turn: str, message: str) -> None:
        super().__init__(f"turn {turn}: {message}")
        self.turn = turn


class OrdersRejected(RulesError):
    """Orders that a mage cannot give; `problems` names every reason."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(p.message for p in problems))
        self.problems = problems


class InvalidOrders(OrdersRejected):
    """Orders that were not understood."""


class IllegalOrders(OrdersRejected):
    """Orders that were understood but are not allowed now."""
