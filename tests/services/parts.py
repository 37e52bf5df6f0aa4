"""Which tests run on which database: the parts that FM_TEST_PART names (tests/runner.py).

In the short run, each file's tests run on one database. PostgreSQL gets what the services do, and SQLite, which takes a
third less time, what is asked from outside: pages, calls and emails. Every page and call is also tested on PostgreSQL,
and what services write on SQLite. The long run tests everything on both.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
# Folders with tests from outside; in the others, they are those that mention a client.
OUTSIDE = ("email_gateway", "site", "studies", "ui")
CLIENT = re.compile(r"\b[Cc]lient\b")
# What stands in a file that is only about browsers, and in one with a test that needs PostgreSQL.
BROWSER_ONLY = re.compile(r"^pytestmark = .*\bmark\.(browser|journey)\b", re.MULTILINE)
POSTGRES = re.compile(r"\bmark\.postgres\b")
# Files in them that are about services.
INSIDE = ("studies/test_counting.py", "studies/test_replaying.py")
# The engine's tests, which need no server.
PURE = ("conformance", "rules_engine")
# These use no database, or bring their own.
WITHOUT_ROWS = (*PURE, "hosting", "journeys")
# They ask for every page and call.
EVERY_PAGE = (
    *(f"site/test_{name}.py" for name in ("addresses", "form_fuzzing", "query_budgets")),
    "moderation/test_admin.py",
)
# What services write, above all when several do it at once, and what nobody should send. Pages, calls, emails and
# journeys use the same services on SQLite.
ON_BOTH = (
    *(f"accounts/test_{name}.py" for name in ("name_race", "signup_race")),
    "challenges/test_races.py",
    *(f"duels/test_{name}.py" for name in ("deadlines", "finishing", "orders", "races")),
    *(f"notifications/test_{name}.py" for name in ("outbox", "outbox_race")),
    *(f"site/test_{name}.py" for name in ("backup", "hostile_requests", "restart_under_load", "sweeps_together")),
    *(f"email_gateway/test_{name}.py" for name in ("deliveries", "races")),
)
# Each tells a story on machines of its own: one process runs its tests, in their order.
STORIES = tuple(f"hosting/test_{name}.py" for name in ("every_command", "hosting", "installer", "many_machines"))

# A file that is renamed must be renamed here, too.
assert [place for place in (*EVERY_PAGE, *ON_BOTH, *INSIDE, *STORIES) if not (TESTS / place).exists()] == []


def list_files(part: str) -> list[str]:
    """Return the files with tests of "outside" or "inside". Given folders instead, each worker of pytest would import
    all files, only to leave out most of their tests."""
    return [place for place in list_all_files() if FILES[part](place)]


@cache
def list_all_files() -> tuple[str, ...]:
    return tuple(sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")))


@cache
def read(place: str) -> str:
    return (TESTS / place).read_text(encoding="utf-8")


def is_from_outside(place: str) -> bool:
    """Return whether the short run has the tests of this file on SQLite alone, except those that need PostgreSQL."""
    if place in (*EVERY_PAGE, *ON_BOTH, *INSIDE) or place.startswith(WITHOUT_ROWS):
        return False
    return place.startswith(OUTSIDE) or CLIENT.search(read(place)) is not None


def is_in_browsers(place: str) -> bool:
    """Return whether a file has only tests in browsers, or journeys."""
    return BROWSER_ONLY.search(read(place)) is not None


def is_inside(place: str) -> bool:
    if POSTGRES.search(read(place)):
        return True
    return not (is_from_outside(place) or is_in_browsers(place) or place.startswith(PURE))


FILES: dict[str, Callable[[str], bool]] = {
    "outside": lambda place: (is_from_outside(place) or place in ON_BOTH) and not is_in_browsers(place),
    "inside": is_inside,
}


def has_rows(item: pytest.Item) -> bool:
    """Return whether a test uses the database."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool({"db", "transactional_db"} & fixtures)


def is_on_both(item: pytest.Item) -> bool:
    return find_place(item) in ON_BOTH and has_rows(item) and not item.get_closest_marker("once")


def find_place(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix()


def is_asked_from_outside(item: pytest.Item) -> bool:
    return is_from_outside(find_place(item)) and not item.get_closest_marker("postgres")


PARTS: dict[str, Callable[[pytest.Item], bool]] = {
    "rows": has_rows,
    "outside": lambda item: is_asked_from_outside(item) or is_on_both(item),
    "inside": lambda item: is_inside(find_place(item)) and not is_asked_from_outside(item),
}
