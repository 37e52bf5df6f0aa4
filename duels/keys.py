"""The key of a stage, and the current state of a battle: used by links, receipts and errors."""

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from duels.names import name_battle


class StageKey(NamedTuple):
    """A stage of a turn. `attempt` rises each time a turn is replayed; `stage` counts from 0."""

    seq: int
    attempt: int
    stage: int

    def __str__(self) -> str:
        return f"{self.seq}.{self.attempt}.{self.stage}"


@dataclass(frozen=True)
class CurrentStage:
    """The stage that a battle is in now, and its status. Contains no secrets."""

    number: int
    kind: str
    key: StageKey
    label: str
    status: str

    @property
    def is_over(self) -> bool:
        return self.status in ("finished", "annulled")

    def sentence(self) -> str:
        words = {"battle": name_battle(self.kind, self.number), "turn": self.label}
        return (_("%(battle)s is over.") if self.is_over else _("%(battle)s is in turn %(turn)s.")) % words
