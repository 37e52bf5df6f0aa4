"""Backups of the database and restoring them: pg_dump and pg_restore for PostgreSQL, SQLite's backup API for SQLite.

A backup is written to a temporary file and then moved into place, readable only by this user. Its encrypted data
(pending email, codes) needs the site's secret key, which it does not contain.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

ENDINGS = {"postgresql": ".dump", "sqlite": ".sqlite3"}
START = "firetop-"


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


def restore(backup: Path, database: Mapping[str, Any]) -> None:
    """Restore `database` (as in settings.DATABASES) from the backup. Raises BackupFailed, and then leaves the database
    as it was."""
    if not backup.is_file():
        raise BackupFailed(f"{backup} does not exist.")
    engine = database["ENGINE"].rpartition(".")[2]
    ending = ENDINGS["sqlite" if engine == "sqlite3" else "postgresql"]
    if backup.suffix != ending:
        raise BackupFailed(f"{backup.name} is for another kind of database; this one needs a {ending} file.")
    restore_sqlite(backup, database) if engine == "sqlite3" else restore_postgres(backup, database)


def dump_postgres(place: Path) -> None:
    database = connection.settings_dict
    run_program("pg_dump", database, "--format=custom", "--no-owner", "--no-privileges", f"--file={place}")


def restore_postgres(backup: Path, database: Mapping[str, Any]) -> None:
    # In one transaction, so that a broken backup changes nothing.
    options = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    run_program("pg_restore", database, *options, f"--dbname={database['NAME']}", str(backup), names_database=False)


def run_program(name: str, database: Mapping[str, Any], *arguments: str, names_database: bool = True) -> None:
    """Run a PostgreSQL program on a database. The password is passed in the environment, because everyone can see
    arguments. Raises BackupFailed with the last line of its output."""
    program = find_program(name)
    wanted = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    given = {ours: str(database[key]) for ours, key in wanted.items() if database.get(key)}
    given |= {"PGHOST": database["OPTIONS"]["host"]} if database.get("OPTIONS", {}).get("host") else {}
    command = [program, *arguments, *([str(database["NAME"])] if names_database else [])]
    done = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True, check=False)
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        raise BackupFailed(f"{name} failed: {words[-1]}")


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
