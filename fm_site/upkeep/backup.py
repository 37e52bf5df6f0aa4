"""Backups of the database and restoring them: pg_dump and pg_restore for PostgreSQL, SQLite's backup API for SQLite.

A backup is written to a temporary file and then moved into place, readable only by this user. Its encrypted data
(pending email, codes) needs the site's secret key, which it does not contain.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error as RowsError
from django.db import connection
from django.db.backends.utils import CursorWrapper

ENDINGS = {"postgresql": ".dump", "sqlite": ".sqlite3"}
START = "firetop-"
# The name of the nightly chore.
BACKUP = "backup"


class BackupFailed(Exception):
    """A backup or restore failed; the text says why and what to do."""


def back_up(folder: Path, *, keep: int, now: datetime) -> Path:
    """Write a backup into `folder`, delete all but the newest `keep`, and return its path. Raises BackupFailed, and
    then leaves earlier backups alone."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    place = folder / f"{START}{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{ENDINGS[connection.vendor]}"
    part = place.with_name(f"{place.name}.part{os.getpid()}")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        dump_postgres(part) if connection.vendor == "postgresql" else copy_sqlite(part)
        part.replace(place)
    except OSError as error:
        raise BackupFailed(f"Cannot write to {folder}: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    # A name from the future comes from a wrong clock: it is not the newest, and is deleted before all others.
    by_age = sorted(list_backups(folder), key=lambda path: path.name <= place.name, reverse=True)
    for old in by_age[keep:]:
        old.unlink(missing_ok=True)
    return place


def list_backups(folder: Path) -> list[Path]:
    """Return the backups in a folder, newest first."""
    return sorted((path for path in folder.glob(f"{START}*") if path.suffix in ENDINGS.values()), reverse=True)


def find_database() -> dict[str, Any]:
    """Return our database (as in settings.DATABASES) as PostgreSQL itself is reached, past a pooler."""
    return {**connection.settings_dict, **settings.FM_DIRECT_DATABASE}


@contextmanager
def connect_to_no_database() -> Iterator[CursorWrapper]:
    """Yield a cursor of the server that is connected to none of its databases that has our rows."""
    direct = connection.copy()
    direct.settings_dict = find_database()
    with direct._nodb_cursor() as cursor:
        yield cursor


def restore(backup: Path, database: Mapping[str, Any]) -> None:
    """Restore an empty `database` (as in settings.DATABASES) from the backup. Raises BackupFailed, and then leaves it
    empty."""
    check_kind(backup)
    if connection.vendor == "sqlite":
        restore_sqlite(backup, database)
        return
    # In one transaction, so that a broken backup changes nothing.
    options = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    run_program("pg_restore", database, *options, f"--dbname={database['NAME']}", str(backup), names_database=False)


def replace_database(backup: Path, database: Mapping[str, Any]) -> str:
    """Replace `database`, whatever tables it has, by the backup; nobody may be connected to it. Raises BackupFailed,
    and then leaves the database as it was.

    PostgreSQL restores into a new database, and then swaps the names. Returns the name of the replaced database, which
    is kept until the next time; "" with SQLite, which keeps none.
    """
    check_kind(backup)
    if connection.vendor == "sqlite":
        restore_sqlite(backup, database)
        return ""
    name = str(database["NAME"])
    new, old = f"{name}_restore", f"{name}_before"
    with connect_to_no_database() as cursor:
        refuse_connected(cursor, name)
        make_empty_database(cursor, new)
        try:
            restore(backup, {**database, "NAME": new})
            drop_database(cursor, old)
            refuse_connected(cursor, name)
            cursor.execute("BEGIN")
            rename_database(cursor, name, old)
            rename_database(cursor, new, name)
            cursor.execute("COMMIT")
        except (BackupFailed, RowsError) as error:
            cursor.execute("ROLLBACK")
            drop_database(cursor, new)
            raise BackupFailed(first_line(error)) from error
    return old


def check_kind(backup: Path) -> None:
    """Raise BackupFailed unless the backup exists and is of our kind of database."""
    if not backup.is_file():
        raise BackupFailed(f"{backup} does not exist.")
    ending = ENDINGS[connection.vendor]
    if backup.suffix != ending:
        raise BackupFailed(f"{backup.name} is for another kind of database; this one needs a {ending} file.")


def refuse_connected(cursor: CursorWrapper, name: str) -> None:
    """Raise BackupFailed while somebody is connected to the database."""
    wanted = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
    cursor.execute(wanted, [name])
    [connected] = cursor.fetchone()
    if connected:
        raise BackupFailed(f"The database {name} is in use ({connected} connections). Stop the site's services first.")


def make_empty_database(cursor: CursorWrapper, name: str) -> None:
    """Create a database, in place of one of that name that an earlier attempt left. Raises BackupFailed."""
    try:
        drop_database(cursor, name)
        cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)}")
    except RowsError as error:
        raise BackupFailed(f"Cannot create the database {name}: {first_line(error)}") from error


def drop_database(cursor: CursorWrapper, name: str) -> None:
    cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)} WITH (FORCE)")


def rename_database(cursor: CursorWrapper, name: str, new: str) -> None:
    cursor.execute(f"ALTER DATABASE {connection.ops.quote_name(name)} RENAME TO {connection.ops.quote_name(new)}")


def first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def dump_postgres(place: Path) -> None:
    run_program("pg_dump", find_database(), "--format=custom", "--no-owner", "--no-privileges", f"--file={place}")


def run_program(name: str, database: Mapping[str, Any], *arguments: str, names_database: bool = True) -> None:
    """Run a PostgreSQL program on a database. The password is passed in the environment, because everyone can see
    arguments. Raises BackupFailed with the first error of its output, because the others follow from it."""
    program = find_program(name)
    wanted = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    given = {ours: str(database[key]) for ours, key in wanted.items() if database.get(key)}
    given |= {"PGHOST": database["OPTIONS"]["host"]} if database.get("OPTIONS", {}).get("host") else {}
    command = [program, *arguments, *([str(database["NAME"])] if names_database else [])]
    done = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        error = next((line for line in lines if "error:" in line), lines[-1])
        raise BackupFailed(f"{name} failed: {error.removeprefix(f'{name}: error: ')}")


def find_program(name: str) -> str:
    """Return the path of a PostgreSQL program. Raises BackupFailed."""
    folder = settings.FM_POSTGRES_PROGRAMS
    found = shutil.which(name, path=folder or None)
    if found is None:
        raise BackupFailed(
            f"{name} is not installed. Install PostgreSQL's client programs or set FM_POSTGRES_PROGRAMS."
        )
    return found


def copy_sqlite(place: Path) -> None:
    connection.ensure_connection()
    target = sqlite3.connect(place)
    try:
        connection.connection.backup(target)
    finally:
        target.close()


def restore_sqlite(backup: Path, database: Mapping[str, Any]) -> None:
    source, target = sqlite3.connect(f"file:{backup}?mode=ro", uri=True), sqlite3.connect(database["NAME"])
    try:
        if source.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise BackupFailed(f"{backup.name} is damaged.")
        source.backup(target)
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{backup.name} is damaged: {error}.") from error
    finally:
        source.close()
        target.close()
