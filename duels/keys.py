"""The key of a turn and its stage, and where a battle stands: what links, receipts and refusals are made of."""

from dataclasses import dataclass
from typing import NamedTuple


class StageKey(NamedTuple):
    """Which stage of which turn: `attempt` rises when a turn is played again, `stage` counts from 0."""

    seq: int
    attempt: int
    stage: int

    def __str__(self) -> str:
        return f"{self.seq}.{self.attempt}.{self.stage}"


@dataclass(frozen=True)
class Standing:
    """Where a battle stands, for whoever comes too late: nothing in it is secret."""

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
