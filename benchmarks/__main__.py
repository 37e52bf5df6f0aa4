"""`./run bench [ARGS]`: how fast turns are played (ARGS go there), our pages and orders beside the bare framework, what
a thousand viewers and an idle site cost, how fast mail is taken and processed, ratings are made, what a page of a long
ladder costs, the sweep over clocks among a million battles, and pages among slow clients.

`./run bench --quick` takes under three minutes: pages, orders, viewers and the idle site. `./run bench --bots` measures
the computer opponents in a few minutes, and with --long in hours. The exit code is the first
fault's, so that a missing --calibrate is still said.
"""

import subprocess
import sys

PARTS = (
    ("rules_engine", "bench"),
    ("benchmarks.table",),
    ("benchmarks.viewers",),
    ("benchmarks.idle",),
    ("benchmarks.mail_intake",),
    ("benchmarks.rebuilding",),
    ("benchmarks.ladder_pages",),
    ("benchmarks.late_orders",),
    ("benchmarks.slow_clients",),
)
QUICK = (
    ("benchmarks.table", "--quick"),
    ("benchmarks.viewers", "--turns", "2"),
    ("benchmarks.idle", "--seconds", "15"),
)


def main(arguments: list[str]) -> int:
    """Run all parts and return the exit code."""
    if arguments == ["--quick"]:
        codes = [run(*part) for part in QUICK]
        return next((code for code in codes if code), 0)
    if arguments[:1] == ["--bots"]:
        return run("rules_engine.bots", "bench", *arguments[1:])
    turns = run(*PARTS[0], *arguments)
    if any(one in ("-h", "--help") for one in arguments):
        return turns
    codes = [turns, *(run(*part) for part in PARTS[1:])]
    return next((code for code in codes if code), 0)


def run(*part: str) -> int:
    return subprocess.call([sys.executable, "-m", *part])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
