"""`manage.py back_up`: back up the database now."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from fm_site.upkeep.backup import BackupFailed, back_up
from fm_site.upkeep.backup_copies import copy_backup
from operations.remote_files import is_remote
from operations.selectors import read_policy


class Command(BaseCommand):
    help = "Backs up the database. The site also does this every night."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to",
            metavar="FOLDER|REMOTE:PATH",
            help=f"folder, or target of rclone, to write to (default: {settings.FM_BACKUP_DIR})",
        )
        parser.add_argument(
            "--recipient", metavar="KEY", help="encrypt for this key of age (age1...) or gpg (default: not encrypted)"
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="how many backups to keep there (default: the site policy)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        to, recipient = options["to"] or "", options["recipient"] or ""
        keep = max(options["keep"] or read_policy().backups_kept, 1)
        is_copied = bool(recipient) or is_remote(to)
        if recipient and not to:
            raise CommandError("Say where the encrypted copy goes: --to FOLDER or --to REMOTE:PATH.")
        try:
            here = settings.FM_BACKUP_DIR if is_copied else Path(to or settings.FM_BACKUP_DIR)
            place = back_up(here, keep=keep, now=timezone.now())
            where = copy_backup(place, to=to, recipient=recipient, keep=keep) if is_copied else str(place)
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(where)
