"""python -m rules_engine.bots: matches, measurements, learning an evaluation, playing by the line protocol."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rules_engine.bots.tools import (
    bench,
    exploit,
    hunt,
    match,
    pool_league,
    programs,
    puzzles,
    reliability,
    spells,
    train,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m rules_engine.bots", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in (match, bench, pool_league, hunt, exploit, reliability, train, programs, puzzles, spells):
        module.add_commands(commands)
    given = parser.parse_args(arguments)
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
