"""`python -m tests.conformance [--ruleset R] FILE...`: one verdict per game, exit code 1 if any game differs."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules_engine import RULESETS
from tests.conformance.errors import ConformanceError, UnknownFormat
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
    """How to know a format, how to read it, and what plays it."""

    knows: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any]], RecordedGame]
    replay: type[Replay] = Replay


FORMATS = (
    Format(is_firetop_record, read_firetop_record),
    Format(is_seed_record, read_seed_record),
    Format(is_spellweavers_record, read_spellweavers_record, NeutralReplay),
    Format(is_ravenblack_record, read_ravenblack_record, NeutralReplay),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the files; 0 if every game passed, 1 if one differs, 2 if a file cannot be replayed."""
    asked = _parse(arguments)
    passed = failed = 0
    try:
        for path in asked.files:
            for verdict in replay_file(path, asked.ruleset):
                passed, failed = passed + verdict.passed, failed + (not verdict.passed)
                if asked.verbose or not verdict.passed or verdict.excepted or verdict.left_out:
                    print(write_verdict(path, verdict))
    except ConformanceError as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def replay_file(path: Path, ruleset: str | None) -> Iterator[Verdict]:
    """One verdict for each game in the file. Raises ConformanceError."""
    for record in read_records(path):
        game, replay = read_game(record)
        yield replay_game(game, ruleset_for(game, ruleset), replay)


def read_game(record: Record) -> tuple[RecordedGame, type[Replay]]:
    """The game of a record and what plays it, by the first reader that knows its format. Raises UnknownFormat."""
    for known in FORMATS:
        if known.knows(record.data):
            try:
                return known.read(record.data), known.replay
            except (KeyError, TypeError, ValueError, IndexError) as problem:
                raise UnknownFormat(f"{record.place}: a broken record ({problem!r})") from problem
    named = f"format {record.data['format']!r}" if "format" in record.data else "no format"
    raise UnknownFormat(f"{record.place}: {named}, which no reader here knows")


def write_verdict(path: Path, verdict: Verdict) -> str:
    """One line: the file, the game, where it differs or that it does not, and what was not compared."""
    what = str(verdict.difference or f"{verdict.turns} turns as recorded")
    if verdict.excepted:
        what = f"excepted: {verdict.excepted}"
    return f"{path.name}: {verdict.game}: {'; '.join((what, *verdict.left_out))}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), help="instead of the one each game names")
    parser.add_argument("--verbose", action="store_true", help="print the games that pass, too")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
