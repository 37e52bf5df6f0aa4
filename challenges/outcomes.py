"""The result of an action on a challenge, as plain values for its caller."""

from dataclasses import dataclass
from typing import Literal

from challenges.changes import Difference

DecisionResult = Literal["adopted", "rejected", "moot"]


@dataclass(frozen=True)
class Decision:
    """A decided change. `number` is None for one that took effect without a vote."""

    number: int | None
    proposer: str
    result: DecisionResult
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Outcome:
    """The challenge after an action: its status, what the action decided, and the number of the proposal it made, if
    that is still open."""

    number: int
    status: str
    decided: tuple[Decision, ...] = ()
    proposed: int | None = None

    @property
    def has_started(self) -> bool:
        return self.status == "started"
