"""`./run test [long] [ARGS]`: the whole suite in passes, or pytest with ARGS once, on both cores as well.

1. browser tests and journeys on SQLite, several at a time, each worker on its own real `./run` stack
2. tests on PostgreSQL: of services and everything else that is in no other pass
3. tests on SQLite: of pages, calls and emails, and again of what services write
4. tests of the engine, without a server

In the short run two passes run at a time, first those that wait most: browsers wait half their time, and tests on
PostgreSQL a quarter. In the long run they run one after another; everything runs on PostgreSQL, and everything with
rows but pass 1 again on SQLite.

If a pass has at most three failures, it retries those tests by themselves, up to twice: on a busy machine, browsers
sometimes time out. The summary lists them even if a retry passes.
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.services.parts import PURE, TESTS, WITHOUT_ROWS, list_files

MARKED = re.compile(r"mark\.(browser|journey)\b")
# The files of browser tests and journeys that take longest, longest first: begun last, one would run on alone.
LONGEST = (
    *("ui/test_browser.py", "journeys/test_every_ruleset.py", "site/test_running.py"),
    *(f"journeys/test_{name}.py" for name in ("learning_and_losing", "froodal_and_bung", "killed_worker", "pages")),
    *("ui/test_challenge_browser.py", "ui/test_chat_browser.py", "journeys/test_janitors_desk.py"),
)
WITH_ROWS = sorted(
    {path.parent.name for path in TESTS.glob("*/test_*.py") if not path.parent.name.startswith(WITHOUT_ROWS)}
)
LONG = "long" in sys.argv[1:2]
# More failures than this mean that something is broken, not slow.
MOST_RETRIED = 3
MOST_RETRIES = 2


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
    # Its niceness: the higher, the more it leaves to the other passes.
    nice: int = 0
    environment: dict[str, str] = field(default_factory=dict)


# Two in the short run: some tests wait for a server's answers, or for clients that are slow on purpose.
# In the long run, the tests of a story are a group (tests/services/stories.py).
SEVERAL_AT_A_TIME = (
    ("-n", "3", "--dist", "loadgroup", "--no-loadscope-reorder") if LONG else ("-n", "2", "--dist", "worksteal")
)
# The long run makes its tables by the migrations. In the short one, the stacks migrate an SQLite and a PostgreSQL
# database, and `.ci/run` checks that the models match. Only tests of the long run need the plugin, which every process
# would load.
LONG_OPTIONS = ("--migrations", "-p", "schemathesis") if LONG else ()
# A file with browser tests is the unit: its tests share a site, a battle or a stack. They wait half their time.
FILES_AT_A_TIME = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")
# The arguments with which pytest runs in one process: they say so, or the tests talk to the terminal.
ALONE = ("-n", "--numprocesses", "--dist", "--pdb", "--trace", "-s", "--capture=no", "--collect-only", "--co")
BROWSER = Pass(
    "browser and journeys",
    (
        *FILES_AT_A_TIME,
        *LONG_OPTIONS,
        *("-m", "browser or journey" if LONG else "(browser or journey) and not postgres"),
        *(f"tests/{name}" for name in find_browser_tests()),
    ),
    environment={} if LONG else {"FM_TEST_DATABASE": "sqlite"},
)
POSTGRES = Pass(
    "PostgreSQL and Valkey",
    (
        *SEVERAL_AT_A_TIME,
        *LONG_OPTIONS,
        *("-m", "not browser and not journey" if LONG else "postgres or (not browser and not journey)"),
        *(() if LONG else [f"tests/{name}" for name in list_files("inside")]),
    ),
    nice=5,
    environment={} if LONG else {"FM_TEST_PART": "inside"},
)
SQLITE = Pass(
    "SQLite and Valkey",
    (
        *SEVERAL_AT_A_TIME,
        *LONG_OPTIONS,
        *("-m", "not browser and not journey and not postgres"),
        *(f"tests/{name}" for name in (WITH_ROWS if LONG else list_files("outside"))),
    ),
    nice=5,
    environment={"FM_TEST_DATABASE": "sqlite", "FM_TEST_PART": "rows" if LONG else "outside"},
)
ENGINE = Pass("engine", (*LONG_OPTIONS, *(f"tests/{name}" for name in PURE)), nice=5)
PASSES = (BROWSER, POSTGRES, SQLITE) if LONG else (BROWSER, POSTGRES, SQLITE, ENGINE)
# All four at once would evict each other from the processor's caches: a fifth more time for the same tests.
PASSES_AT_A_TIME = 1 if LONG else 2


@dataclass(frozen=True)
class Result:
    """How a pass ended. `failed` lists the tests that failed at first; if `code` is 0, they all passed when retried."""

    name: str
    code: int
    seconds: float
    failed: tuple[str, ...]
    output: str

    def __str__(self) -> str:
        late = "".join(f"\n        failed at first: {name}" for name in self.failed)
        return f"{'FAILED' if self.code else 'passed'}  {self.name}  {self.seconds:.0f} s{late}"


def main(arguments: list[str]) -> int:
    """Run the requested passes; the exit code is that of the first one that failed."""
    if arguments[:1] == ["long"]:
        os.environ["FM_TEST_LONG"] = "1"
        arguments = arguments[1:]
    if arguments:
        return subprocess.call(write_command((*share_out(arguments), *LONG_OPTIONS, *arguments)))
    results = run_passes(PASSES, at_a_time=PASSES_AT_A_TIME)
    print()
    for one in results:
        print(one)
    return next((one.code for one in results if one.code), 0)


def share_out(arguments: list[str]) -> tuple[str, ...]:
    """Return the options that share the tests these arguments ask for between processes, as the whole run does; none
    for single tests, or if the arguments say how."""
    named = [Path(each).resolve() for each in arguments]
    paths = [path for path in named if path.is_relative_to(TESTS) and path.exists()] or [TESTS]
    if any("::" in each or each.startswith(ALONE) for each in arguments):
        return ()
    browser = [TESTS / name for name in find_browser_tests()]
    shared = any(file.is_relative_to(path) for file in browser for path in paths)
    return FILES_AT_A_TIME if shared else SEVERAL_AT_A_TIME


def run_passes(passes: tuple[Pass, ...], *, at_a_time: int) -> list[Result]:
    """Run the passes in this order, `at_a_time` of them at once.

    The first prints as it goes, and so do all if they run one by one; the output of the others comes when they end.
    """
    first, *others = passes
    kept = subprocess.PIPE if at_a_time > 1 else None
    results = []
    with ThreadPoolExecutor(at_a_time) as pool:
        running = [pool.submit(run_pass, first, None), *(pool.submit(run_pass, one, kept) for one in others)]
        try:
            for one in running:
                results.append(one.result())
                if results[-1].output:
                    print(f"\n=== {results[-1].name} ===\n{results[-1].output}", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def run_pass(one: Pass, output: int | None) -> Result:
    """Run a pass, and retry its failures if there are at most `MOST_RETRIED`; keep the output if it is a pipe."""
    begin = time.monotonic()
    if output is None:
        print(f"\n=== {one.name} ===", flush=True)
    with TemporaryDirectory() as cache:
        # Of its own, for passes that run at the same time would forget each other's failures.
        arguments = ("-q", "--durations=20", "--durations-min=3", *one.arguments, "-o", f"cache_dir={cache}")
        done = run_pytest(arguments, one, output)
        code, printed, failed = done.returncode, done.stdout, read_failures(Path(cache))
        for _ in range(MOST_RETRIES if 0 < len(failed) <= MOST_RETRIED else 0):
            if code == 1:
                again = run_pytest((*arguments, "-n", "0", "--last-failed"), one, output)
                code, printed = again.returncode, (printed or "") + (again.stdout or "")
    return Result(one.name, code, time.monotonic() - begin, failed, printed or "")


def read_failures(cache: Path) -> tuple[str, ...]:
    kept = cache / "v" / "cache" / "lastfailed"
    return tuple(json.loads(kept.read_text(encoding="utf-8"))) if kept.exists() else ()


def run_pytest(arguments: tuple[str, ...], one: Pass, output: int | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["nice", "-n", str(one.nice), *write_command(arguments)],
        env={**os.environ, **one.environment},
        stdout=output,
        stderr=output and subprocess.STDOUT,
        text=True,
    )


def write_command(arguments: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "pytest", *arguments]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
