"""The row of a battle without its secrets: state, seed and orders stay behind."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from duels.models import Battle


@dataclass(frozen=True)
class BattleFacts:
    """What anybody may know of a battle's row. Templates and doors get this, never the row itself."""

    number: int
    kind: str
    status: str
    ruleset: str
    edition: int
    practice: bool
    seq: int
    attempt: int
    stage: int
    label: str
    stuck_reference: str
    started_at: datetime.datetime
    finished_at: datetime.datetime | None
    result: Mapping[str, object] | None

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"

    @property
    def is_over(self) -> bool:
        return self.status in (Battle.Status.FINISHED, Battle.Status.ANNULLED)

    @property
    def is_stuck(self) -> bool:
        return self.status == Battle.Status.STUCK

    @classmethod
    def of(cls, battle: Battle) -> Self:
        """Return the facts of that row."""
        return cls(**{name: getattr(battle, name) for name in cls.__dataclass_fields__})
