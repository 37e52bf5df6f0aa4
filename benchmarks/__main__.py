"""`./run bench [ARGS]`: how fast turns are played (ARGS go there), mail is taken and obeyed, ratings are made,
what a page of a long ladder costs, the sweep over clocks among a million battles, and pages among slow clients.

The exit code is the first fault's, so that a missing --calibrate is still said.
"""

import subprocess
import sys

PARTS = (
    ("rules_engine", "bench"),
    ("benchmarks.mail_intake",),
    ("benchmarks.rebuilding",),
    ("benchmarks.ladder_pages",),
    ("benchmarks.late_orders",),
    ("benchmarks.slow_clients",),
)


def main(arguments: list[str]) -> int:
    """Run all parts and return the exit code."""
    turns = subprocess.call([sys.executable, "-m", *PARTS[0], *arguments])
    if any(one in ("-h", "--help") for one in arguments):
        return turns
    codes = [turns, *(subprocess.call([sys.executable, "-m", *part]) for part in PARTS[1:])]
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
