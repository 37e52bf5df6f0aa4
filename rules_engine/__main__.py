"""python -m rules_engine: battle records, the pages of the rules, single spells, the speed of turns, and the results of
random games."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from rules_engine.commands import battles, bench, digests, pages, spells
from rules_engine.commands.files import CommandFailed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. The exit code is 0; 1 if something differs; 2 if the command failed."""
    parser = argparse.ArgumentParser(prog="python -m rules_engine", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in (battles, pages, spells, bench, digests):
        module.add_commands(commands)
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except CommandFailed as failed:
        print(failed, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has closed the pipe: write nothing more when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
