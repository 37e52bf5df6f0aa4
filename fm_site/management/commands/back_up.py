"""`manage.py back_up`: back up the database now."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from fm_site.backup import BackupFailed, back_up
from fm_site.operations.selectors import read_policy


class Command(BaseCommand):
    help = "Backs up the database. The site also does this every night."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", metavar="FOLDER", help=f"folder to write to (default: {settings.FM_BACKUP_DIR})")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="how many backups to keep there (default: the site policy)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder = Path(options["to"] or settings.FM_BACKUP_DIR)
        keep = options["keep"] or read_policy().backups_kept
        try:
            place = back_up(folder, keep=max(keep, 1), now=timezone.now())
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(place))
