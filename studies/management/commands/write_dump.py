"""`manage.py write_dump`: updates the dump of all finished battles now."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from operations.programs import ProgramFailed
from studies.services.dump import update_dump, write_dump


class Command(BaseCommand):
    help = "Write the dump of all finished battles now, as the nightly job does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder", nargs="?", type=Path, help="the target folder (default: FM_DUMP_TO, or else FM_DUMP_DIR)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder, now = options["folder"], timezone.now()
        try:
            months = write_dump(folder=folder, now=now) if folder else update_dump(now=now)
        except ProgramFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Months written to {folder or settings.FM_DUMP_TO or settings.FM_DUMP_DIR}: {months}.")
