"""`python -m tests.conformance [--ruleset R] FILE...`: one verdict per game, exit code 1 if any game differs."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules_engine import RULESETS
from tests.conformance.errors import ConformanceError, UnknownFormat
from tests.conformance.files import Record, read_records
from tests.conformance.firetop_records import is_firetop_record, read_firetop_record
from tests.conformance.records import RecordedGame
from tests.conformance.replay import Verdict, replay_game, ruleset_for
from tests.conformance.seed_records import is_seed_record, read_seed_record

FORMATS = ((is_firetop_record, read_firetop_record), (is_seed_record, read_seed_record))


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the files; 0 if every game passed, 1 if one differs, 2 if a file cannot be replayed."""
    asked = _parse(arguments)
    passed = failed = 0
    try:
        for path in asked.files:
            for verdict in replay_file(path, asked.ruleset):
                passed, failed = passed + verdict.passed, failed + (not verdict.passed)
                if asked.verbose or not verdict.passed:
                    print(write_verdict(path, verdict))
    except ConformanceError as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def replay_file(path: Path, ruleset: str | None) -> Iterator[Verdict]:
    """One verdict for each game in the file. Raises ConformanceError."""
    for record in read_records(path):
        game = read_game(record)
        yield replay_game(game, ruleset_for(game, ruleset))


def read_game(record: Record) -> RecordedGame:
    """The game of a record, by the first reader that knows its format. Raises UnknownFormat."""
    for knows, read in FORMATS:
        if knows(record.data):
            try:
                return read(record.data)
            except (KeyError, TypeError, ValueError, IndexError) as problem:
                raise UnknownFormat(f"{record.place}: a broken record ({problem!r})") from problem
    named = f"format {record.data['format']!r}" if "format" in record.data else "no format"
    raise UnknownFormat(f"{record.place}: {named}, which no reader here knows")


def write_verdict(path: Path, verdict: Verdict) -> str:
    """One line: the file, the game, and where it differs."""
    return f"{path.name}: {verdict.game}: {verdict.difference or f'{verdict.turns} turns as recorded'}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), help="instead of the one each game names")
    parser.add_argument("--verbose", action="store_true", help="print the games that pass, too")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
