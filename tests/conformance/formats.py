"""The formats of recorded games: how to recognise each, how to read it, and what plays it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.errors import UnknownFormat
from tests.conformance.files import Record, read_records
from tests.conformance.firetop_records import is_firetop_record, read_firetop_record
from tests.conformance.neutral_replay import NeutralReplay
from tests.conformance.ravenblack_records import is_ravenblack_record, read_ravenblack_record
from tests.conformance.records import RecordedGame
from tests.conformance.replay import Replay, Verdict, replay_game, ruleset_for
from tests.conformance.seed_records import is_seed_record, read_seed_record
from tests.conformance.spellweavers_records import is_spellweavers_record, read_spellweavers_record


@dataclass(frozen=True)
class Format:
    """How to recognise a format, how to read it, and what plays it."""

    knows: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any]], RecordedGame]
    replay: type[Replay] = Replay


FORMATS = (
    Format(is_firetop_record, read_firetop_record),
    Format(is_seed_record, read_seed_record),
    Format(is_spellweavers_record, read_spellweavers_record, NeutralReplay),
    Format(is_ravenblack_record, read_ravenblack_record, NeutralReplay),
)


def replay_file(path: Path, ruleset: str | None) -> Iterator[Verdict | UnknownFormat]:
    """One verdict for each game in the file; for a record that no reader understands, why. Raises UnreadableFile."""
    for record in read_records(path):
        try:
            yield replay_record(record, ruleset)
        except UnknownFormat as problem:
            yield problem


def replay_record(record: Record, ruleset: str | None) -> Verdict:
    """The verdict on one record. Raises UnknownFormat."""
    game, replay = read_game(record)
    return replay_game(game, ruleset_for(game, ruleset), replay)


def read_game(record: Record) -> tuple[RecordedGame, type[Replay]]:
    """The game of a record and what plays it, from the first reader that knows its format. Raises UnknownFormat."""
    try:
        for known in FORMATS:
            if known.knows(record.data):
                return known.read(record.data), known.replay
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise UnknownFormat(f"{record.place}: a broken record ({problem!r})") from problem
    named = f"format {record.data['format']!r}" if "format" in record.data else "no format"
    raise UnknownFormat(f"{record.place}: {named}, which no reader here knows")
