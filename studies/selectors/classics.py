"""The annotated battles that come with the program: the examples of both documents, and battles between bots.

They are played from their records each time, so that a test sees whether the rules still lead to them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from duels.board.links import link_clause
from duels.selectors.battle_view import TurnStory
from rules_engine.bots.findings import BLUNDERS, describe_finding, percent
from rules_engine.records import Chronicle, Record, find_result, parse_record, play_record
from studies.classic_words import REMARKS, THEMES
from studies.errors import StudyNotFound
from studies.selectors.positions import Position, see_position

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FOLDER = Path(__file__).resolve().parent.parent / "classics"


@dataclass(frozen=True)
class Comment:
    """A remark about a turn, with a link to its rule."""

    text: "StrOrPromise"
    clause: str = ""
    url: str = ""
    is_blunder: bool = False


@dataclass(frozen=True)
class ClassicTurn:
    """A turn to read: its gestures, what happened, and the comments."""

    seq: int
    label: str
    moves: str
    chances: str
    story: TurnStory | None
    comments: tuple[Comment, ...]
    decided: bool


@dataclass(frozen=True)
class ShownClassic:
    """A battle in the list."""

    slug: str
    title: "StrOrPromise"
    lead: "StrOrPromise"
    mages: str
    turns: int


@dataclass(frozen=True)
class PlayedClassic:
    """A battle from a file: its record, the turns as played, and the findings of its analysis."""

    slug: str
    record: Record
    chronicle: Chronicle
    decided: int | None
    found: dict[str, dict[str, object]]


def list_classics() -> list[ShownClassic]:
    """Return every annotated battle, the documents' first."""
    return [_row(read_classic(slug)) for slug in THEMES if (FOLDER / f"{slug}.json").exists()]


def _row(played: PlayedClassic) -> ShownClassic:
    title, lead = THEMES[played.slug]
    mages = " – ".join(played.chronicle.mages)
    return ShownClassic(played.slug, title, lead, mages, len(played.chronicle.turns))


def describe_classic(slug: str) -> ShownClassic:
    """Return one row of the list. Raises StudyNotFound."""
    return _row(read_classic(slug))


@lru_cache(maxsize=32)
def read_classic(slug: str) -> PlayedClassic:
    """Return an annotated battle, played. Raises StudyNotFound."""
    path = FOLDER / f"{slug}.json"
    if slug not in THEMES or not path.exists():
        raise StudyNotFound
    data = json.loads(path.read_text(encoding="utf-8"))
    record = parse_record(data["record"])
    return PlayedClassic(slug, record, play_record(record), data["summary"]["decided"], data["turns"])


def read_turns(slug: str) -> list[ClassicTurn]:
    """Return the turns to read, in the active language. Raises StudyNotFound."""
    played = read_classic(slug)
    turns = played.chronicle.turns
    position = Position(
        turns[-1].after,
        events=tuple(turn.events for turn in turns),
        labels=tuple((turn.seq, turn.label) for turn in turns),
        befores={turn.seq: turn.before for turn in turns},
    )
    stories = {story.seq: story for story in see_position(position, mage="", sees_all=True).stories}
    return [
        ClassicTurn(
            turn.seq,
            turn.label,
            ", ".join(f"{mage} {left[0]}/{right[0]}" for mage, (left, right) in find_result(turn).gestures.items()),
            _describe_chances(played, turn.seq),
            stories.get(turn.seq),
            tuple(_list_comments(played, turn.seq)),
            turn.seq == played.decided,
        )
        for turn in turns
    ]


def read_position(slug: str, seq: int) -> Position:
    """Return the position before a turn, as everyone sees it after the end. Raises StudyNotFound."""
    turns = read_classic(slug).chronicle.turns
    place = next((place for place, turn in enumerate(turns) if turn.seq == seq), None)
    if place is None:
        raise StudyNotFound
    return Position(
        turns[place].before,
        events=tuple(turn.events for turn in turns[:place]),
        labels=tuple((turn.seq, turn.label) for turn in turns[:place]),
        befores={turn.seq: turn.before for turn in turns[:place]},
    )


def _list_comments(played: PlayedClassic, seq: int) -> Iterator[Comment]:
    for remark in REMARKS.get(played.slug, {}).get(seq, ()):
        yield Comment(remark)
    ruleset = played.chronicle.turns[0].before.ruleset
    findings = played.found.get(str(seq), {}).get("findings", [])
    assert isinstance(findings, list)
    for each in findings:
        url = link_clause(ruleset, each["clause"])
        yield Comment(describe_finding(each), each["clause"], url, each["kind"] in BLUNDERS)


def _describe_chances(played: PlayedClassic, seq: int) -> str:
    chances = played.found.get(str(seq), {}).get("chances", {})
    assert isinstance(chances, dict)
    return ", ".join(f"{mage} {percent(chances[mage])}" for mage in played.chronicle.mages if mage in chances)
