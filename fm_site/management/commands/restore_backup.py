"""`manage.py restore_backup FILE --yes`: all rows as they were when the copy was made."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from fm_site.backup import BackupFailed, restore


class Command(BaseCommand):
    help = "Makes all rows those of a copy. Stop the house first; what happened since is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", metavar="FILE", type=Path)
        parser.add_argument("--yes", action="store_true", help="what happened since may be lost")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not options["yes"]:
            raise CommandError("What happened since the copy is lost by this. Say --yes if you mean it.")
        database = connection.settings_dict
        connection.close()
        try:
            restore(options["backup"], database)
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write("The rows are those of the copy. Run prepare_site, then start the house.")
