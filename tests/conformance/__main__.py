"""`python -m tests.conformance [--ruleset R] [--mutate N] FILE...`: a verdict per game; exits with 1 if any differs"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules_engine import RULESETS
from tests.conformance.comparison import Tally
from tests.conformance.errors import ConformanceError
from tests.conformance.formats import replay_file
from tests.conformance.mutations import mutate_files
from tests.conformance.replay import Verdict


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the files; return 0 if every game passed, 1 if one differs, 2 if a file or record cannot be replayed.

    What cannot be replayed is named, and everything else is.
    """
    asked = _parse(arguments)
    passed = failed = unread = 0
    tally = Tally()
    if asked.mutate:
        try:
            print("\n".join(mutate_files(asked.files, asked.ruleset, asked.mutate, asked.seed)))
        except ConformanceError as problem:
            print(problem, file=sys.stderr)
            return 2
        return 0
    for path in asked.files:
        for verdict in _judge(path, asked.ruleset):
            if isinstance(verdict, ConformanceError):
                print(verdict, file=sys.stderr)
                unread += 1
                continue
            tally += verdict.tally
            passed, failed = passed + verdict.passed, failed + (not verdict.passed)
            if asked.verbose or not verdict.passed or verdict.excepted or verdict.left_out:
                print(write_verdict(path, verdict))
    for line in tally.lines():
        print(line)
    print(f"{passed} passed, {failed} failed" + (f", {unread} not read" if unread else ""))
    return 2 if unread else 1 if failed else 0


def _judge(path: Path, ruleset: str | None) -> Iterator[Verdict | ConformanceError]:
    try:
        yield from replay_file(path, ruleset)
    except ConformanceError as problem:
        yield problem


def write_verdict(path: Path, verdict: Verdict) -> str:
    """One line: the file, the game, where it differs if it does, and what was not compared."""
    what = str(verdict.difference or f"{verdict.turns} turns as recorded")
    if verdict.excepted:
        what = f"excepted: {verdict.excepted}"
    return f"{path.name}: {verdict.game}: {'; '.join((what, *verdict.left_out))}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), help="instead of the one each game names")
    parser.add_argument("--verbose", action="store_true", help="print the games that pass, too")
    parser.add_argument("--mutate", type=int, metavar="N", help="corrupt N facts, one at a time; say which were missed")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of facts to corrupt")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
