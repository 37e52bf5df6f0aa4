"""`./run test [long] [ARGS]`: the whole suite in three passes, or pytest with ARGS once.

1. everything except browser tests and journeys, on PostgreSQL, three at a time
2. browser tests and journeys, two at a time, each on its own real `./run` stack
3. the tests that use rows, again on SQLite; in the short run, at the same time as the second, which waits half its time
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
    *(f"accounts/test_{name}.py" for name in ("name_race", "outbox", "outbox_race", "signup_race")),
    *(f"challenges/test_{name}.py" for name in ("answers", "races")),
    *(f"duels/test_{name}.py" for name in ("deadlines", "finishing", "orders", "races", "resolving", "rewinding")),
    *(f"ladder/test_{name}.py" for name in ("revise_results", "score_machine")),
    *(f"site/test_{name}.py" for name in ("backup", "sweeps_together")),
    *(f"email_gateway/test_{name}.py" for name in ("deliveries", "races")),
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
# Only tests of the long run need its plugin, which every process would load.
PLUGINS = () if LONG else ("-p", "no:schemathesis")
POSTGRES = Pass("PostgreSQL and Valkey", (*THREE_AT_A_TIME, *TABLES, *PLUGINS, "-m", "not browser and not journey"))
BROWSER = Pass(
    "browser and journeys",
    (
        # A file is the unit: its tests share a site, a battle or a stack. They wait half their time.
        *("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder", *TABLES, *PLUGINS),
        *("-m", "browser or journey"),
        *(f"tests/{name}" for name in find_browser_tests()),
    ),
)
SQLITE = Pass(
    "SQLite and Valkey",
    (
        *(THREE_AT_A_TIME if LONG else ()),
        *TABLES,
        *PLUGINS,
        *("-m", "not browser and not journey and not postgres"),
        *(f"tests/{name}" for name in (WITH_ROWS if LONG else AGAIN_ON_SQLITE)),
    ),
    {"FM_TEST_DATABASE": "sqlite", "FM_TEST_ROWS_ONLY": "1"},
)
# One after another; those in one tuple run at the same time.
PASSES = ((POSTGRES,), (BROWSER,), (SQLITE,)) if LONG else ((POSTGRES,), (BROWSER, SQLITE))


def main(arguments: list[str]) -> int:
    """Run the requested passes; the exit code is that of the first one that failed."""
    # Some images set it. Then each of the dozens of processes compiles all modules again: ten seconds for every worker.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments[:1] == ["long"]:
        os.environ["FM_TEST_LONG"] = "1"
        arguments = arguments[1:]
    if arguments:
        return subprocess.call(write_command(tuple(arguments)))
    results = [result for together in PASSES for result in run_together(together)]
    print()
    for one, code, seconds in results:
        print(f"{'passed' if code == 0 else 'FAILED'}  {one.name}  {seconds:.0f} s")
    return next((code for _, code, _ in results if code), 0)


def run_together(passes: tuple[Pass, ...]) -> list[tuple[Pass, int, float]]:
    """Run passes at the same time; return each with its exit code and its seconds.

    Prints the output of the first at once, and that of the others as soon as the first has finished.
    """
    first, *others = passes
    with ThreadPoolExecutor(len(passes)) as pool:
        beside = [pool.submit(run_pass, one, subprocess.PIPE) for one in others]
        print(f"\n=== {first.name} ===", flush=True)
        done = [run_pass(first, None), *(one.result() for one in beside)]
    for one, (_, _, said) in zip(others, done[1:], strict=True):
        print(f"\n=== {one.name} ===\n{said}", flush=True)
    return [(one, code, seconds) for one, (code, seconds, _) in zip(passes, done, strict=True)]


def run_pass(one: Pass, output: int | None) -> tuple[int, float, str]:
    """Return the exit code, the seconds, and the output unless it was printed directly."""
    begin = time.monotonic()
    done = subprocess.run(
        write_command(("-q", "--durations=20", "--durations-min=3", *one.arguments)),
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
