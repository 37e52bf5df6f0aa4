"""The restore drill: restore the newest backup into a separate database, replay its battles, and drop it again.

The restored site is read by another process, so that this one never connects to another database.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from accounts.models import User
from duels.models import Battle
from fm_site.upkeep.backup import (
    BackupFailed,
    connect_to_no_database,
    drop_database,
    find_database,
    list_backups,
    make_empty_database,
    restore,
)
from fm_site.upkeep.health_checks import list_unapplied_migrations
from studies.services.replay_checks import find_replay_differences

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"
# The newest battles; each night another task replays the rest.
MOST_BATTLES = 500
HOUR = 3600
# The name of the weekly chore.
DRILL = "restore drill"


@dataclass(frozen=True)
class Drill:
    """The result of a drill: the backup's name, how many users and battles, and the battles that replay differently."""

    backup: str
    users: int
    battles: int
    replayed: int
    different: list[int]

    def __str__(self) -> str:
        message = f"{self.backup}: {self.users} users, {self.battles} battles, {self.replayed} replayed"
        return f"{message}, different: {', '.join(map(str, self.different))}" if self.different else message


def drill_restore() -> Drill:
    """Restore the newest backup elsewhere, check it, and drop it. Raises BackupFailed."""
    backups = list_backups(settings.FM_BACKUP_DIR)
    if not backups:
        raise BackupFailed(f"There is no backup in {settings.FM_BACKUP_DIR}.")
    with make_scratch_database(find_database()) as scratch:
        restore(backups[0], scratch)
        command = [sys.executable, str(MANAGE), "drill_restore", "--look-into", str(scratch["NAME"])]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HOUR)
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        raise BackupFailed(f"{backups[0].name} was restored and cannot be read: {words[-1]}")
    return Drill(backup=backups[0].name, **json.loads(done.stdout.splitlines()[-1]))


@contextlib.contextmanager
def make_scratch_database(mine: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the settings of an empty database next to ours, and drop it at the end. Raises BackupFailed."""
    if connection.vendor == "sqlite":
        with tempfile.TemporaryDirectory(prefix="drill-", dir=settings.DATA_DIR) as folder:
            yield {**mine, "NAME": str(Path(folder) / "drill.sqlite3")}
        return
    name = f"{mine['NAME']}_drill"
    with connect_to_no_database() as cursor:
        make_empty_database(cursor, name)
        try:
            yield {**mine, "NAME": name}
        finally:
            drop_database(cursor, name)


def look_into(name: str) -> str:
    """Read the restored database `name` instead of ours, in a separate process; return facts as JSON."""
    connection.close()
    connection.settings_dict.update(find_database(), NAME=name)
    missing = list_unapplied_migrations()
    if missing:
        raise BackupFailed(f"it lacks migrations: {', '.join(sorted('.'.join(each) for each in missing))}")
    newest = Battle.objects.order_by("-number")[:MOST_BATTLES]
    different = [battle.number for battle in newest if find_replay_differences(battle=battle)]
    facts = {
        "users": User.objects.count(),
        "battles": Battle.objects.count(),
        "replayed": len(newest),
        "different": different,
    }
    return json.dumps(facts)
