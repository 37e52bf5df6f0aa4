"""`./run bench [ARGS]`: how fast turns are played (ARGS go there), our pages and orders beside the bare framework, with
and without a server, what a thousand viewers, a full lobby and an idle site cost, how fast mail is taken and processed,
ratings are made, what a page of a long ladder costs, lists of 100,000 battles, the sweep over clocks among a million
battles, the start of a league season, and pages among slow clients.

`./run bench --quick` takes under three minutes: pages, orders, viewers, mail and the idle site. One table of all rows
comes last. `./run bench --bots` measures the computer opponents in a few minutes, and with --long in hours;
`./run bench --crowd` how many players the site of docs/hosting.md carries, in five minutes, and with --long in fifteen.
The exit code is the first fault's, so that a missing --calibrate is still said; times that miss their target are
printed, and are no fault.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.rows import FILE, HEAD, read_rows

PARTS = (
    ("rules_engine", "bench"),
    ("benchmarks.table",),
    ("benchmarks.over_http",),
    ("benchmarks.viewers",),
    ("benchmarks.lobby",),
    ("benchmarks.mail_intake",),
    ("benchmarks.idle",),
    ("benchmarks.ladder_pages",),
    ("benchmarks.battle_lists",),
    ("benchmarks.rebuild_ratings",),
    ("benchmarks.late_orders",),
    ("benchmarks.league_season",),
    ("benchmarks.slow_clients",),
)
QUICK = (
    ("benchmarks.table", "--quick"),
    ("benchmarks.viewers", "--turns", "2"),
    ("benchmarks.mail_intake", "--rounds", "1", "--mails", "100", "--processed", "60"),
    ("benchmarks.idle", "--seconds", "15"),
)


def main(arguments: list[str]) -> int:
    """Run all parts, print the joint table, and return the exit code."""
    if arguments[:1] == ["--bots"]:
        return run("rules_engine.bots", "bench", *arguments[1:])
    if arguments[:1] == ["--crowd"]:
        return run("benchmarks.crowd", *arguments[1:])
    if any(one in ("-h", "--help") for one in arguments):
        return run(*PARTS[0], *arguments)
    parts = QUICK if arguments == ["--quick"] else ((*PARTS[0], *arguments), *PARTS[1:])
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as folder:
        rows = Path(folder) / "rows"
        os.environ[FILE] = str(rows)
        codes = [run(*part) for part in parts]
        print(f"\n{HEAD}")
        for row in read_rows(rows):
            print(row.write())
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} at the end, {time.perf_counter() - begin:.0f} s in all")
    return next((code for code in codes if code), 0)


def run(*part: str) -> int:
    return subprocess.call([sys.executable, "-m", *part])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
