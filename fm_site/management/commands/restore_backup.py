"""`manage.py restore_backup FILE --yes`: restore the database from a backup; without `--yes`, say what that loses."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from fm_site.upkeep.backup import BackupFailed, find_database, replace_database
from fm_site.upkeep.key_rotation import count_unreadable
from fm_site.upkeep.losses import count_losses, read_moment


class Command(BaseCommand):
    help = "Restores the database from a backup. Stop the site first; everything since the backup is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", metavar="FILE", type=Path)
        parser.add_argument("--yes", action="store_true", help="confirm that everything since the backup may be lost")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["yes"]:
            self.say_losses(options["backup"])
            raise CommandError("This loses everything since the backup. Add --yes to confirm.")
        connection.close()
        try:
            kept = replace_database(options["backup"], find_database())
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

    def say_losses(self, backup: Path) -> None:
        """Say what was written since the backup, by its name."""
        made_at = read_moment(backup)
        if made_at is None:
            self.stdout.write("The name of the file doesn't say when the backup was made.")
            return
        self.stdout.write(f"The backup was made on {made_at:%-d %B %Y at %H:%M:%S} UTC. Since then, and lost with it:")
        losses = count_losses(made_at)
        for what, number in losses.items():
            self.stdout.write(f"  {what}: {number}")
        if not losses:
            self.stdout.write("  nothing that is counted here")


def _count_unreadable() -> int:
    """Return how many restored rows cannot be read; 0 if the backup of another release has other tables."""
    try:
        return count_unreadable()
    except DatabaseError:
        return 0
