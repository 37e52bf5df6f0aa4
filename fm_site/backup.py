"""Copies of all rows, and the way back from them: pg_dump and pg_restore for PostgreSQL, SQLite's own copying for it.

A copy is written beside its place and moved there whole, readable for this user alone. What is sealed in it (mails on
their way, codes) opens only with the house's secret key, which is not in it.
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
    """There is no copy, or no way back from it; the text says why and what to do."""


def back_up(folder: Path, *, keep: int, now: datetime) -> Path:
    """Write a copy of all rows into `folder`, delete all but the newest `keep`, and return its path. Raises
    BackupFailed; what was there before then stays."""
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
    # A name from the future was given by a clock that was wrong: it is not the newest, and goes before all others.
    by_age = sorted(list_backups(folder), key=lambda path: path.name <= place.name, reverse=True)
    for old in by_age[keep:]:
        old.unlink(missing_ok=True)
    return place


def list_backups(folder: Path) -> list[Path]:
    """Return the copies in a folder, the newest first."""
    return sorted((path for path in folder.glob(f"{START}*") if path.suffix in ENDINGS.values()), reverse=True)


def restore(backup: Path, database: Mapping[str, Any]) -> None:
    """Make the rows of `database` (as in settings.DATABASES) those of the copy. Raises BackupFailed, and then leaves
    them as they were."""
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
    # In one transaction: a copy that turns out to be broken changes nothing.
    options = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    run_program("pg_restore", database, *options, f"--dbname={database['NAME']}", str(backup), names_database=False)


def run_program(name: str, database: Mapping[str, Any], *arguments: str, names_database: bool = True) -> None:
    """Run a program of PostgreSQL on a database. The password goes through the environment: arguments are seen by all.
    Raises BackupFailed with its last words."""
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
    """Return where a program of PostgreSQL is. Raises BackupFailed."""
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
