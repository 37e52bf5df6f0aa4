"""The key of a stage, and the current state of a battle: used by links, receipts and errors."""

from dataclasses import dataclass
from typing import NamedTuple


class StageKey(NamedTuple):
    """A stage of a turn. `attempt` rises each time a turn is replayed; `stage` counts from 0."""

    seq: int
    attempt: int
    stage: int

    def __str__(self) -> str:
        return f"{self.seq}.{self.attempt}.{self.stage}"


@dataclass(frozen=True)
class Standing:
    """The current turn and status of a battle. Contains no secrets."""

    number: int
    kind: str
    key: StageKey
    label: str
    status: str

    @property
    def is_over(self) -> bool:
        return self.status in ("finished", "annulled")

    def sentence(self) -> str:
        name = f"{self.kind.capitalize()} {self.number}"
        return f"{name} is over." if self.is_over else f"{name} is in turn {self.label}."
