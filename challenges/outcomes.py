"""What came of an order: plain values for whoever gave it."""

from dataclasses import dataclass
from typing import Literal

from challenges.changes import Difference

DecisionResult = Literal["adopted", "rejected", "moot"]


@dataclass(frozen=True)
class Decision:
    """A change that was decided. `number` is None for one that held at once, without a vote."""

    number: int | None
    proposer: str
    result: DecisionResult
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Outcome:
    """How the challenge stands after an order: its status, what the order decided, and the number of the proposal if it
    made one that is still open."""

    number: int
    status: str
    decided: tuple[Decision, ...] = ()
    proposed: int | None = None

    @property
    def has_started(self) -> bool:
        return self.status == "started"
