"""Which tests run on which database: the parts that FM_TEST_PART names (tests/runner.py).

In the short run, each test runs on one database. PostgreSQL gets what the services do, and SQLite, which takes a third
less time, what is asked from outside: pages, calls and emails. Every page and call is also tested on PostgreSQL, and
what services write on SQLite. The long run tests everything on both.
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
# What services write, above all when several do it at once, and what nobody should send. The journeys use the whole
# site on SQLite, too.
ON_BOTH = (
    *(f"accounts/test_{name}.py" for name in ("name_race", "signup_race")),
    *(f"challenges/test_{name}.py" for name in ("answers", "races")),
    *(f"duels/test_{name}.py" for name in ("deadlines", "finishing", "orders", "races", "resolving", "rewinding")),
    *(f"ladder/test_{name}.py" for name in ("revise_results", "score_machine")),
    *(f"notifications/test_{name}.py" for name in ("outbox", "outbox_race")),
    *(f"site/test_{name}.py" for name in ("backup", "hostile_requests", "restart_under_load", "sweeps_together")),
    *(f"email_gateway/test_{name}.py" for name in ("deliveries", "races")),
)

# A file that is renamed must be renamed here, too.
assert [place for place in (*EVERY_PAGE, *ON_BOTH, *INSIDE) if not (TESTS / place).exists()] == []


def has_rows(item: pytest.Item) -> bool:
    """Return whether a test uses the database."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool({"db", "transactional_db"} & fixtures)


def is_from_outside(item: pytest.Item) -> bool:
    """Return whether the short run has this test on SQLite alone."""
    place = find_place(item)
    if item.get_closest_marker("postgres") or place in (*EVERY_PAGE, *ON_BOTH, *INSIDE) or not has_rows(item):
        return False
    return place.startswith(OUTSIDE) or mentions_a_client(item.path)


def is_on_both(item: pytest.Item) -> bool:
    return find_place(item) in ON_BOTH and has_rows(item) and not item.get_closest_marker("once")


def find_place(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix()


@cache
def mentions_a_client(path: Path) -> bool:
    return CLIENT.search(path.read_text(encoding="utf-8")) is not None


PARTS: dict[str, Callable[[pytest.Item], bool]] = {
    "rows": has_rows,
    "outside": lambda item: is_from_outside(item) or is_on_both(item),
    "inside": lambda item: not is_from_outside(item) and not find_place(item).startswith(PURE),
}
