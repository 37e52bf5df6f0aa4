"""What the sender of orders is answered."""

from dataclasses import dataclass, replace
from typing import Literal, Self

from duels.keys import StageKey
from rules_engine import Question, Warning

Outcome = Literal["status", "kept", "ready", "resolved", "stuck"]


@dataclass(frozen=True)
class Played:
    """What became of a stage: still "waiting" for orders, "resolved", or "stuck" under a reference."""

    outcome: Literal["waiting", "resolved", "stuck"]
    reference: str = ""


@dataclass(frozen=True)
class Receipt:
    """What became of orders that were accepted.

    `outcome`: "status" nothing was ordered, so nothing changed; "kept" they stand on the sheet, which is not ready;
    "ready" they are ready and the battle waits for others; "resolved" they were the last and the stage has been played;
    "stuck" they were the last and are kept, but the turn could not be played: `reference` finds the reason.
    `lines` is the whole sheet in canonical form, `missing` what must still be said before it can be ready, `repeated`
    tells that the sheet already read so.
    """

    battle: int
    mage: str
    key: StageKey
    label: str
    outcome: Outcome
    lines: tuple[str, ...] = ()
    warnings: tuple[Warning, ...] = ()
    missing: tuple[Question, ...] = ()
    repeated: bool = False
    reference: str = ""

    def after(self, played: Played) -> Self:
        """Return this receipt with what became of the stage once these orders were ready."""
        if played.outcome == "waiting":
            return self
        return replace(self, outcome=played.outcome, reference=played.reference)
