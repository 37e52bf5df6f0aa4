"""`manage.py restore_backup FILE --yes`: restore the database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from fm_site.backup import BackupFailed, restore


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
            restore(options["backup"], database)
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Backup restored. Run prepare_site, then start the site.")
