"""Starts the tests' services before pytest-django reads the settings (pyproject.toml names it with -p).

DATABASE_URL or PGHOST ...    tests on that PostgreSQL instead of our own
FM_TEST_DATABASE=sqlite       tests on SQLite
FM_TEST_PART=NAME             one part of the tests (tests/services/parts.py)
REDIS_URL                     another Redis or Valkey; its databases are emptied
FM_TEST_LONG=1                Hypothesis searches longer, slow tests run (./run test long sets it)
"""

import gc
import os
import shutil
import sys
from pathlib import Path

import hypothesis
import pytest

from fm_site.texts.catalogues import compile_catalogues
from tests.services.parts import PARTS
from tests.services.postgres import PostgresServer
from tests.services.ready_cluster import TEMPLATE, start_with_tables
from tests.services.scratch import make_scratch_folder
from tests.services.valkey import ValkeyServer

# Some images set it. Then each of the dozens of processes compiles all modules again: ten seconds for every worker.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Importing and collecting leaves no garbage, and looking for it takes a third of their time.
gc.disable()

pytest_plugins = ["tests.services.fixtures", "tests.services.browser", "tests.services.stack"]

# Folders with pure tests: by themselves they need no server.
PURE = ("tests/rules_engine", "tests/conformance", "tests/test_architecture.py")
LONG = os.environ.get("FM_TEST_LONG") == "1"

hypothesis.settings.register_profile("short", max_examples=10, deadline=None, derandomize=True)
hypothesis.settings.register_profile("long", max_examples=2000, deadline=None)
hypothesis.settings.load_profile("long" if LONG else "short")

started: list[PostgresServer | ValkeyServer] = []
# The cluster of this run, until it is started: what it must contain is only known when Django has read the models.
waiting: list[PostgresServer] = []
scratch: list[Path] = []


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Start the servers and pass them to the settings through the environment."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and "FM_TEST_REDIS" not in os.environ:
        return  # the controller was asked for pure tests alone
    if worker:
        # Workers share the servers of the controller; each has its own database in both.
        os.environ["REDIS_URL"] = with_database(os.environ["FM_TEST_REDIS"], int(worker.removeprefix("gw")) + 1)
        return
    compile_catalogues()
    folder = make_scratch_folder()
    scratch.append(folder)
    (folder / "static").mkdir()
    os.environ["FM_DATA_DIR"] = str(folder)
    os.environ["SECRET_KEY"] = "for tests alone; it protects nothing and nobody, even if it is read"
    os.environ.update(DEBUG="0", FM_HTTPS="0", FM_HASHED_FILES="0", LOG_LEVEL="WARNING")
    if asks_only_for_pure_tests(args, early_config.rootpath):
        os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'db.sqlite3'}"
        return
    try:
        os.environ["DATABASE_URL"] = choose_database(folder)
        if "REDIS_URL" not in os.environ:
            valkey = ValkeyServer(folder)
            start(valkey)
            os.environ["REDIS_URL"] = valkey.url
        os.environ["FM_TEST_REDIS"] = os.environ["REDIS_URL"]
    except BaseException:
        stop_all()
        raise


def asks_only_for_pure_tests(args: list[str], root: Path) -> bool:
    """Return whether every path on the command line is in a folder of pure tests."""
    paths = [Path(arg.partition("::")[0]) for arg in args if not arg.startswith("-")]
    paths = [
        path.resolve().relative_to(root) for path in paths if path.exists() and path.resolve().is_relative_to(root)
    ]
    return bool(paths) and all(str(path).startswith(PURE) for path in paths)


def choose_database(folder: Path) -> str:
    """Return the address of the database to test on: one of our own if none is named, which starts when Django has read
    the models."""
    if os.environ.get("FM_TEST_DATABASE") == "sqlite":
        return f"sqlite:///{folder / 'db.sqlite3'}"
    if "DATABASE_URL" in os.environ:
        return os.environ["DATABASE_URL"]
    if "PGHOST" in os.environ:
        # libpq reads the rest (PGPORT, PGUSER, PGPASSWORD) from the environment by itself.
        return f"postgres:///{os.environ.get('PGDATABASE', 'postgres')}"
    postgres = PostgresServer(folder)
    waiting.append(postgres)
    return postgres.url


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Start the PostgreSQL of this run."""
    while waiting:
        postgres = waiting.pop()
        try:
            if config.getoption("nomigrations"):
                start_with_tables(postgres, scratch[0])
                os.environ["FM_TEST_TEMPLATE"] = TEMPLATE
            else:
                postgres.start()
        except BaseException:
            stop_all()
            raise
        started.append(postgres)


def start(server: PostgresServer | ValkeyServer) -> None:
    server.start()
    started.append(server)


def with_database(redis_url: str, number: int) -> str:
    """Return `redis_url` with this database number."""
    separator = "&" if "?" in redis_url else "?"
    return f"{redis_url}{separator}db={number}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Keep the tests of a story together in the long run: pytest-xdist 3.8 ignores its own groups with pytest 9.2."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from tests.services.stories import ByStory  # the processes that run tests need no scheduler

    return ByStory(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Freeze loaded objects: checking them for garbage again and again would take a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_unconfigure() -> None:
    """Stop what we started, after the last test of the last worker."""
    stop_all()


def stop_all() -> None:
    while started:
        started.pop().stop()
    while scratch:
        shutil.rmtree(scratch.pop(), ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests that are not for the chosen database or length."""
    if part := os.environ.get("FM_TEST_PART"):
        chosen = [item for item in items if PARTS[part](item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen
    on_sqlite = os.environ.get("DATABASE_URL", "").startswith("sqlite")
    for item in items:
        if on_sqlite and item.get_closest_marker("postgres"):
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL"))
        if not LONG and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="only in ./run test long"))
