"""The janitors' actions on the battle, beside its story, and their question to the player."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.utils.translation import gettext as _

from duels.board.parts import Part
from duels.selectors.battle_view import BattleView
from duels.selectors.journal import JournalNote


@dataclass(frozen=True)
class UndoneEntry:
    """The undoing of an entry: by whom, when and why."""

    by: str
    at: datetime.datetime
    reason: str


@dataclass(frozen=True)
class Entry:
    """A janitor's action, or a note by the site: the turn, the reason, the time."""

    number: int
    turn: str
    text: str
    reason: str
    by: str
    at: datetime.datetime
    undone: UndoneEntry | None


@dataclass(frozen=True)
class Journal(Part):
    """The janitors' actions on the battle, the newest first."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class ConsentQuestion(Part):
    """The question whether a turn may be played again; `agrees` is None until the player answers."""

    number: int
    turn: str
    by: str
    reason: str
    agrees: bool | None
    url: str


def make_journal(view: BattleView) -> Journal:
    return Journal(tuple(_entry(note) for note in reversed(view.journal)))


def _entry(note: JournalNote) -> Entry:
    undone = UndoneEntry(note.undone_by or "", note.undone_at, note.undone_reason) if note.undone_at else None
    return Entry(note.number, note.label, note.text, note.reason, note.by or _("the site"), note.made_at, undone)


def make_consent(view: BattleView, url: str) -> ConsentQuestion | None:
    """Return a janitor's question to this player, with the address for the answer; None if there is none."""
    question = view.question
    if question is None:
        return None
    return ConsentQuestion(question.number, question.turn, question.by, question.reason, question.agrees, url)
