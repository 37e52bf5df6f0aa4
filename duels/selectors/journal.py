"""The janitors' actions on a battle and their questions to its players. moderation keeps the journal."""

import datetime
from dataclasses import dataclass

from accounts.models import User
from duels.models import Battle
from operations.registry import DECIDED_BATTLES, JOURNAL_OF_BATTLE, QUESTION_TO_PLAYER, find_function


@dataclass(frozen=True)
class JournalNote:
    """One entry: the action in words, the turn, who did it (None: the site itself), when and why, and whether it was
    undone."""

    number: int
    kind: str
    seq: int
    attempt: int
    label: str
    text: str
    reason: str
    by: str | None
    made_at: datetime.datetime
    undone_by: str | None
    undone_at: datetime.datetime | None
    undone_reason: str


@dataclass(frozen=True)
class JanitorQuestion:
    """Entry `number` asks a player whether `turn` may be replayed; `agrees` is their answer, if any."""

    number: int
    turn: str
    by: str
    reason: str
    agrees: bool | None


def list_journal_for_anyone(battle: Battle) -> tuple[JournalNote, ...]:
    """Return the entries that everyone may read, oldest first."""
    notes: tuple[JournalNote, ...] = find_function(JOURNAL_OF_BATTLE)(battle)
    return notes


def find_question_to(battle: Battle, user: User) -> JanitorQuestion | None:
    question: JanitorQuestion | None = find_function(QUESTION_TO_PLAYER)(battle, user)
    return question


def find_decided_battles(numbers: list[int]) -> frozenset[int]:
    decided: frozenset[int] = find_function(DECIDED_BATTLES)(numbers)
    return decided
