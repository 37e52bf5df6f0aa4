"""`./run test [long] [ARGS]`: the whole suite in three passes, or pytest with ARGS once.

1. everything except browser tests and journeys, on PostgreSQL, three at a time
2. browser tests and journeys, two at a time, each on its own real `./run` stack
3. the tests that use rows, again on SQLite

In the short run the first runs beside the other two: browser tests wait half their time. The long run takes them one
after another.
"""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parent
# These use no database, or bring their own.
WITHOUT_ROWS = {"conformance", "journeys", "rules_engine", "services", "__pycache__"}
MARKED = re.compile(r"mark\.(browser|journey)\b")
# The files of browser tests and journeys that take longest, longest first: begun last, one would run on alone.
LONGEST = (
    *("ui/test_browser.py", "journeys/test_every_ruleset.py", "site/test_running.py"),
    *(f"journeys/test_{name}.py" for name in ("learning_and_losing", "froodal_and_bung", "killed_worker", "pages")),
    *("ui/test_challenge_browser.py", "ui/test_chat_browser.py", "journeys/test_janitors_desk.py"),
)
THREE_AT_A_TIME = ("-n", "3", "--dist", "worksteal")
WITH_ROWS = sorted(folder.name for folder in TESTS.iterdir() if folder.is_dir() and folder.name not in WITHOUT_ROWS)
LONG = "long" in sys.argv[1:2]
# In the short run SQLite is asked again about what services write, above all when several do it at once. PostgreSQL has
# answered for all the rest, and the journeys use the whole site on SQLite.
AGAIN_ON_SQLITE = (
    *(
        f"accounts/test_{name}.py"
        for name in ("absence", "name_race", "outbox", "outbox_race", "signup_race", "vacations")
    ),
    *(f"challenges/test_{name}.py" for name in ("answers", "bots_in_challenges", "changes", "races", "votes")),
    *(f"duels/test_{name}.py" for name in ("deadlines", "finishing", "orders", "races", "resolving", "rewinding")),
    *(f"ladder/test_{name}.py" for name in ("revise_results", "score_machine", "standings")),
    *(f"site/test_{name}.py" for name in ("backup", "demonstration", "sweeps_together", "undoing")),
    *(f"email_gateway/test_{name}.py" for name in ("posting", "deliveries", "races")),
)


def find_browser_tests() -> list[str]:
    """Return the files with browser tests or journeys, those that take longest first.

    Given folders instead, each worker of pytest would import ten times as many tests, only to leave them out.
    """
    files = sorted(path for path in TESTS.glob("*/test_*.py") if MARKED.search(path.read_text(encoding="utf-8")))
    names = [path.relative_to(TESTS).as_posix() for path in files]
    return sorted(names, key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST))


@dataclass(frozen=True)
class Pass:
    """One run of pytest."""

    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


# The stacks migrate an SQLite and a PostgreSQL database, and `.ci/run` checks that the models match.
TABLES = () if LONG else ("--nomigrations",)
POSTGRES = Pass("PostgreSQL and Valkey", (*THREE_AT_A_TIME, *TABLES, "-m", "not browser and not journey"))
BROWSER = Pass(
    "browser and journeys",
    (
        # A file is the unit: its tests share a site, a battle or a stack.
        *("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", *TABLES),
        *("-m", "browser or journey"),
        *(f"tests/{name}" for name in find_browser_tests()),
    ),
)
SQLITE = Pass(
    "SQLite and Valkey",
    (
        *(THREE_AT_A_TIME if LONG else ()),
        *TABLES,
        *("-m", "not browser and not journey and not postgres"),
        *(f"tests/{name}" for name in (WITH_ROWS if LONG else AGAIN_ON_SQLITE)),
    ),
    {"FM_TEST_DATABASE": "sqlite", "FM_TEST_ROWS_ONLY": "1"},
)
# What runs at the same time, each of them one pass after another.
LANES = ((POSTGRES, BROWSER, SQLITE),) if LONG else ((POSTGRES,), (BROWSER, SQLITE))


def main(arguments: list[str]) -> int:
    """Run the requested passes; the exit code is that of the first one that failed."""
    # Some images set it. Then each of the dozens of processes compiles all modules again: ten seconds for every worker.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments[:1] == ["long"]:
        os.environ["FM_TEST_LONG"] = "1"
        arguments = arguments[1:]
    if arguments:
        return subprocess.call(write_command(tuple(arguments)))
    results = run_lanes(LANES)
    print()
    for one, code, seconds in results:
        print(f"{'passed' if code == 0 else 'FAILED'}  {one.name}  {seconds:.0f} s")
    return next((code for _, code, _ in results if code), 0)


def run_lanes(lanes: tuple[tuple[Pass, ...], ...]) -> list[tuple[Pass, int, float]]:
    """Run lanes at the same time; return each pass with its exit code and its seconds.

    Prints the output of the first lane at once, and that of the others as soon as the first has finished.
    """
    first, *others = lanes
    with ThreadPoolExecutor(len(lanes)) as pool:
        beside = [pool.submit(run_lane, lane, subprocess.PIPE) for lane in others]
        done = run_lane(first, None)
        for lane in beside:
            for one, code, seconds, said in lane.result():
                print(f"\n=== {one.name} ===\n{said}", flush=True)
                done.append((one, code, seconds, said))
    return [(one, code, seconds) for one, code, seconds, _ in done]


def run_lane(passes: tuple[Pass, ...], output: int | None) -> list[tuple[Pass, int, float, str]]:
    """Run passes one after another; name each first if its output is printed directly."""
    done = []
    for one in passes:
        if output is None:
            print(f"\n=== {one.name} ===", flush=True)
        done.append((one, *run_pass(one, output)))
    return done


def run_pass(one: Pass, output: int | None) -> tuple[int, float, str]:
    """Return the exit code, the seconds, and the output unless it was printed directly."""
    begin = time.monotonic()
    done = subprocess.run(
        write_command(("-q", *one.arguments)),
        env={**os.environ, **one.environment},
        stdout=output,
        stderr=output and subprocess.STDOUT,
        text=True,
    )
    return done.returncode, time.monotonic() - begin, done.stdout or ""


def write_command(arguments: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "pytest", *arguments]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
