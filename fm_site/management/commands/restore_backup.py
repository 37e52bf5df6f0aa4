"""`manage.py restore_backup FILE --yes`: restore the database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from fm_site.upkeep.backup import BackupFailed, replace_database
from fm_site.upkeep.key_rotation import count_unreadable


class Command(BaseCommand):
    help = "Restores the database from a backup. Stop the site first; everything since the backup is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", metavar="FILE", type=Path)
        parser.add_argument("--yes", action="store_true", help="confirm that everything since the backup may be lost")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["yes"]:
            raise CommandError("This loses everything since the backup. Add --yes to confirm.")
        database = connection.settings_dict
        connection.close()
        try:
            kept = replace_database(options["backup"], database)
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Backup restored. Run prepare_site, then start the site.")
        if kept:
            self.stdout.write(f"The database that it replaced is kept as {kept} until the next restore.")
        if unread := _count_unreadable():
            self.stderr.write(
                f"Before you start the site: its secret key cannot read {unread} encrypted rows of the backup (second "
                "factors, log-ins, emails on their way). Copy the secret key that the backup was made with: the file "
                "secret_key of its data folder, or SECRET_KEY."
            )


def _count_unreadable() -> int:
    """Return how many restored rows cannot be read; 0 if the backup of another release has other tables."""
    try:
        return count_unreadable()
    except DatabaseError:
        return 0
