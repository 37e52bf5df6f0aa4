"""The columns of the strings: those drawn, the turn of each, and the facts known about the hands in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.parts import Part
from duels.board.signs import is_second, plain
from duels.selectors.battle_view import BattleView, Casts, Results, ShownTurn
from rules_engine import Result, View

SHOWN = 7
BOW, CUT, UNSEEN = "B", "#", "?"
Known = TypeVar("Known")
ByColumn = Mapping[int, Mapping[str, Known]]


class ColumnData(Protocol):
    """The data for columns: the battle as a viewer sees it, its turns, and the viewer's facts about hands."""

    @property
    def view(self) -> View: ...
    @property
    def turns(self) -> tuple[ShownTurn, ...]: ...
    @property
    def casts(self) -> Casts: ...
    @property
    def results(self) -> Results: ...
    @property
    def causes(self) -> Casts: ...


@dataclass(frozen=True)
class Column:
    """A turn number between the strings. `word` is read out in its place if the turn is outside time."""

    n: int
    label: str
    word: str
    href: str
    now: bool


SCHOOLS = (
    ("harm", gettext_lazy("harm")),
    ("ward", gettext_lazy("protection")),
    ("cure", gettext_lazy("healing")),
    ("summon", gettext_lazy("creatures")),
    ("mind", gettext_lazy("mind")),
    ("time", gettext_lazy("time and sight")),
)


@dataclass(frozen=True)
class Legend(Part):
    """The meaning of signs, and of those kinds of beads that are on the page."""

    bow: bool
    unseen: bool
    extra: bool

    @property
    def schools(self) -> tuple[tuple[str, str], ...]:
        return tuple((sign, str(name)) for sign, name in SCHOOLS)


@dataclass(frozen=True)
class HandFacts:
    """What the viewer knows about one mage's hands, by column: spells completed, what came of them, why a hand was not
    free."""

    casts: ByColumn[str]
    results: ByColumn[Result]
    causes: ByColumn[str]


def list_shown(view: View) -> list[int]:
    """Return the columns to draw: the last seven turns. A cut is a mark between two columns, not a column."""
    cuts = {i for mage in view.mages for hand in (mage.left, mage.right) for i, c in enumerate(hand) if c == CUT}
    return [i for i in range(len(view.columns)) if i not in cuts][-SHOWN:]


def list_made(view: View, shown_columns: Sequence[int], placed: Mapping[int, int]) -> list[int]:
    """Return the columns drawn of the turn in play: it has some if it waits for answers after its gestures were shown.

    `placed` is the column of each turn.
    """
    first = placed.get(view.seq)
    if first is None or not view.stage or view.over:
        return []
    return [i for i in shown_columns if i >= first]


def make_columns(
    labels: Sequence[str],
    shown_columns: Sequence[int],
    links: Mapping[str, str],
    now_label: str | None,
    made: Sequence[int] = (),
) -> tuple[Column, ...]:
    """Return the turn numbers between the mages: the last seven columns and the turn in play. `links` lead to turns.

    `made` are the columns that the turn in play has already.
    """
    columns = []
    for place, index in enumerate(shown_columns, start=SHOWN + 1 - len(shown_columns)):
        label = labels[index]
        href = "" if index in made else links.get(label, "")
        columns.append(Column(place, _number(label), _extra_word(label), href, now=index in made))
    if now_label is not None and not made:
        columns.append(Column(SHOWN + 1, _number(now_label), _extra_word(now_label), "", now=True))
    return tuple(columns)


def _number(label: str) -> str:
    return f"{label[:-1]}+" if label.endswith("H") else label.removesuffix("T")


def _extra_word(label: str) -> str:
    return _("stopped") if label.endswith("T") else ""


def is_extra(label: str) -> bool:
    """Return whether only some mages play this turn: a hastened one, or one outside time."""
    return label[-1:] in ("H", "T")


def column_of_seq(view: ColumnData) -> dict[int, int]:
    """Return the column of each turn: the first one with its label that no earlier turn has."""
    free: dict[str, list[int]] = {}
    for column, label in reversed(list(enumerate(view.view.columns))):
        free.setdefault(label, []).append(column)
    return {turn.seq: free[turn.label].pop() for turn in view.turns if free.get(turn.label)}


def read_hands(view: ColumnData, mage: str, placed: Mapping[int, int]) -> HandFacts:
    """Return the facts that the viewer knows about one mage's hands; `placed` is the column of each turn."""
    return HandFacts(
        _by_column(view.casts.get(mage, {}), placed),
        _by_column(view.results.get(mage, {}), placed),
        _by_column(view.causes.get(mage, {}), placed),
    )


def _by_column(by_seq: Mapping[int, Mapping[str, Known]], placed: Mapping[int, int]) -> dict[int, dict[str, Known]]:
    """Return the facts about the hands in a turn, by column: a second pair of gestures is in the next one."""
    found: dict[int, dict[str, Known]] = {}
    for seq, hands in by_seq.items():
        if seq in placed:
            for hand, word in hands.items():
                found.setdefault(placed[seq] + is_second(hand), {})[plain(hand)] = word
    return found


def columns_of_turn(view: BattleView, index: int) -> tuple[int, ...]:
    """Return the columns of the turn that begins with this one: the next one too if a mage played two pairs."""
    columns = view.view.columns
    second = f"{columns[index]}H"
    told_apart = any(turn.label == second for turn in view.turns)
    return (index, index + 1) if columns[index + 1 : index + 2] == (second,) and not told_apart else (index,)


def make_legend(view: BattleView) -> Legend:
    """Return those beads in need of an explanation that may be on the page."""
    drawn = list_shown(view.view)
    return Legend(
        bow=any(BOW in mage.left[drawn[0] : drawn[0] + 1] for mage in view.view.mages if drawn),
        unseen=any(UNSEEN in mage.left + mage.right for mage in view.view.mages),
        extra=any(is_extra(label) for label in view.view.columns[-SHOWN:]),
    )
