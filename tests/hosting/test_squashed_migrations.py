"""Squashed migrations, and those that they replace: from any state of a database, both lead to the same one."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from django.db.migrations.loader import MigrationLoader

from tests.hosting.test_upgrade import BEGIN
from tests.services.earlier_version import list_migrations, list_upgradable_commits
from tests.services.migration_history import EarlierLoader, describe_models
from tests.services.plugin import LONG
from tests.services.postgres import PostgresServer
from tests.services.scratch import make_scratch_folder
from tests.services.stack import LEFT_OUT, ROOT

# What starts a site, beside the demonstration: bots, puzzles, ladders.
FILL = """
from django.core.management import call_command
from django.utils import timezone
from accounts.services.bots import ensure_bots
from ladder.services.refresh_ladders import refresh_ladders
from studies.services.puzzles import add_committed_puzzles
call_command("load_demonstration")
ensure_bots(now=timezone.now())
add_committed_puzzles()
refresh_ladders(now=timezone.now())
"""

slow = pytest.mark.skipif(not LONG, reason="short count")
with_history = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without git there is no earlier version")


def test_squashed_migrations_describe_the_models_as_those_they_replace():
    earlier, squashed = describe_models(EarlierLoader), describe_models(MigrationLoader)
    assert earlier.keys() == squashed.keys()
    assert {name: squashed[name] for name in earlier if squashed[name] != earlier[name]} == {}


@pytest.fixture(params=["sqlite", "postgres"])
def databases(request):
    """Make empty databases, each with a function that runs this program on it."""
    folder, server = make_scratch_folder(), None
    if request.param == "postgres":
        server = PostgresServer(folder)
        server.start()

    def make_database(name):
        if server:
            subprocess.run([server.programs / "createdb", "-h", server.folder, "-U", "postgres", name], check=True)
            return Database(folder / name, server.url.replace("@/postgres?", f"@/{name}?"))
        return Database(folder / name, f"sqlite:///{folder / name}.sqlite3")

    yield make_database
    if server:
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


class Database:
    def __init__(self, folder, url):
        folder.mkdir()
        self.file = folder / "step.json"
        kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        self.environment = kept | {"DATABASE_URL": url, "FM_DATA_DIR": str(folder), "DEBUG": "1"}

    def run(self, *arguments):
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make_as_in(self, commit):
        self.file.write_text(json.dumps([path for path in list_migrations(commit) if "_squashed_" not in path]))
        self.run("-m", "tests.services.migration_history", "make", str(self.file))

    def read(self, step):
        self.run("-m", "tests.services.migration_history", step, str(self.file))
        return json.loads(self.file.read_text())

    def migrate(self):
        self.run("manage.py", "migrate", "-v0")
        plan = self.run("manage.py", "showmigrations", "--plan", "-v0").splitlines()
        assert plan and all(line.startswith("[X]") for line in plan)


@slow
@with_history
def test_a_filled_database_keeps_every_row_and_has_the_tables_of_a_new_one(databases):
    filled, new = databases("filled"), databases("new")
    filled.make_as_in("HEAD")
    filled.run("manage.py", "shell", "-c", FILL)
    filled.run("manage.py", "shell", "-c", BEGIN)
    rows = filled.read("rows")
    assert all(rows[f"{table}"][0] for table in ("duels_battle", "duels_puzzle", "accounts_mage", "ladder_ladder"))
    filled.migrate()
    assert filled.read("rows") == rows
    new.migrate()
    assert filled.read("tables") == new.read("tables")


@slow
@with_history
@pytest.mark.parametrize("part", [0, 0.5])
def test_a_database_of_an_earlier_version_gets_the_tables_of_a_new_one(databases, part):
    commits = list_upgradable_commits()
    earlier, new = databases("earlier"), databases("new")
    earlier.make_as_in(commits[int(part * len(commits))])
    earlier.migrate()
    new.migrate()
    assert earlier.read("tables") == new.read("tables")
    assert "duels_puzzle" in new.read("tables")
