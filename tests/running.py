"""`./run test [long] [ARGS]`: the whole suite in three passes, or pytest with ARGS once.

1. everything but browser and journeys, on PostgreSQL, two at a time
2. browser and journeys, two at a time, each on a real `./run` stack of its own
3. the tests that touch rows once more, on SQLite
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parent
# These know no database, or bring their own.
WITHOUT_ROWS = {"conformance", "journeys", "rules_engine", "services", "__pycache__"}
# Where browser tests and journeys are: to look for them everywhere takes as long as a journey.
WITH_BROWSER = ("house", "journeys", "ui")
TWO_AT_A_TIME = ("-n", "2", "--dist", "worksteal")
WITH_ROWS = sorted(folder.name for folder in TESTS.iterdir() if folder.is_dir() and folder.name not in WITHOUT_ROWS)
LONG = "long" in sys.argv[1:2]
# At the short count SQLite is asked again about what the services write, and about mail from its arrival to its
# answer. The pages and the other orders by mail were asked on PostgreSQL; the journeys ask the whole house on SQLite.
AGAIN_ON_SQLITE = (
    "accounts",
    "challenges",
    "duels",
    "ladder",
    "house",
    *(f"email_gateway/test_{name}.py" for name in ("intake", "posting", "battles", "deliveries", "races")),
)


@dataclass(frozen=True)
class Pass:
    """One run of pytest."""

    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


PASSES = (
    Pass("PostgreSQL and Valkey", (*TWO_AT_A_TIME, "-m", "not browser and not journey")),
    Pass(
        "browser and journeys",
        ("-n", "2", "--dist", "loadgroup", "-m", "browser or journey", *(f"tests/{name}" for name in WITH_BROWSER)),
    ),
    Pass(
        "SQLite and Valkey",
        (
            *TWO_AT_A_TIME,
            "-m",
            "not browser and not journey and not postgres",
            # Every stack of the pass before has migrated an SQLite database.
            *(() if LONG else ("--nomigrations",)),
            *(f"tests/{name}" for name in (WITH_ROWS if LONG else AGAIN_ON_SQLITE)),
        ),
        {"FM_TEST_DATABASE": "sqlite", "FM_TEST_ROWS_ONLY": "1"},
    ),
)


def main(arguments: list[str]) -> int:
    """Run what was asked for; the exit code is that of the first pass that failed."""
    if arguments[:1] == ["long"]:
        os.environ["FM_TEST_LONG"] = "1"
        arguments = arguments[1:]
    if arguments:
        return run_pytest(tuple(arguments), {})
    results = [(one.name, *timed(one)) for one in PASSES]
    print()
    for name, code, seconds in results:
        print(f"{'passed' if code == 0 else 'FAILED'}  {name}  {seconds:.0f} s")
    return next((code for _, code, _ in results if code), 0)


def timed(one: Pass) -> tuple[int, float]:
    print(f"\n=== {one.name} ===", flush=True)
    begin = time.monotonic()
    code = run_pytest(("-q", *one.arguments), one.environment)
    return code, time.monotonic() - begin


def run_pytest(arguments: tuple[str, ...], environment: dict[str, str]) -> int:
    return subprocess.call([sys.executable, "-m", "pytest", *arguments], env={**os.environ, **environment})


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
