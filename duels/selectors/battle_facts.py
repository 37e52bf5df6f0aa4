"""A battle's row without its secrets: no state, seed or orders."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from duels.models import Battle
from duels.names import name_battle
from duels.paces import OWN, name_pace


@dataclass(frozen=True)
class BattleFacts:
    """The public facts of a battle's row. Templates and entry points get this, never the row itself."""

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
    stuck_at: datetime.datetime | None
    stuck_remind_at: datetime.datetime | None
    started_at: datetime.datetime
    finished_at: datetime.datetime | None
    result: Mapping[str, object] | None
    # The challenge or battle that is its rematch, and the mage who asked for it.
    rematch: int | None
    rematch_by: str
    # In words: "fast pace, clocks rest on weekends". Empty if this release cannot read the terms.
    pace: str = ""
    # False where no clock is shown (duels.paces.OWN).
    is_timed: bool = True

    def __str__(self) -> str:
        return name_battle(self.kind, self.number)

    @property
    def is_over(self) -> bool:
        return self.status in (Battle.Status.FINISHED, Battle.Status.ANNULLED)

    @property
    def is_stuck(self) -> bool:
        return self.status == Battle.Status.STUCK

    @classmethod
    def of(cls, battle: Battle) -> Self:
        names = (name for name in cls.__dataclass_fields__ if name not in ("pace", "is_timed"))
        read = {name: getattr(battle, name) for name in names}
        return cls(**read, pace=_name_pace(battle.terms), is_timed=battle.terms.get("pace") != OWN)


def _name_pace(terms: Mapping[str, Any]) -> str:
    rests = {name: terms.get(name) is True for name in ("weekends", "nights")}
    return name_pace(terms.get("pace"), **rests)
