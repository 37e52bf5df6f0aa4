"""Receipts for submitted orders."""

from dataclasses import dataclass, replace
from typing import Literal, Self

from duels.keys import StageKey
from rules_engine import Question, Warning

ReceiptKind = Literal["status", "kept", "ready", "resolved", "stuck"]


@dataclass(frozen=True)
class StageResult:
    """The state of a stage after an attempt to resolve it: "waiting" for orders, "resolved", or "stuck". `asks`: its
    turn has stopped for questions."""

    outcome: Literal["waiting", "resolved", "stuck"]
    reference: str = ""
    asks: bool = False


@dataclass(frozen=True)
class Receipt:
    """The result of accepted orders.

    `outcome` is one of:

    * "status": nothing was ordered, so nothing changed;
    * "kept": the orders are saved, but the sheet is not ready;
    * "ready": the orders are ready, and the battle is waiting for others;
    * "resolved": they were the last, and the stage has resolved; or, if `repeated`, it had resolved with them before;
    * "stuck": they were the last and are saved, but the turn could not resolve; `reference` identifies the error.

    `lines` is the whole sheet in canonical form, `missing` lists the questions to answer before it can be ready, and
    `repeated` says that the sheet did not change. `commitment` is the salted hash of these orders; "" for a battle
    without commitments (docs/game-record.md). `asks`: the stage has resolved, but its turn has stopped for questions.
    `ends_vacation`: the player is back.
    """

    battle: int
    mage: str
    key: StageKey
    label: str
    outcome: ReceiptKind
    lines: tuple[str, ...] = ()
    warnings: tuple[Warning, ...] = ()
    missing: tuple[Question, ...] = ()
    repeated: bool = False
    reference: str = ""
    commitment: str = ""
    asks: bool = False
    ends_vacation: bool = False

    def after(self, played: StageResult) -> Self:
        if played.outcome == "waiting":
            return self
        return replace(self, outcome=played.outcome, reference=played.reference, asks=played.asks)
