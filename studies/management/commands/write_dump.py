"""`manage.py write_dump`: updates the dump of all finished battles now."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from studies.services.dump import write_dump


class Command(BaseCommand):
    help = "Write the dump of all finished battles now, as the nightly job does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, help="the target folder (default: FM_DUMP_DIR)")

    def handle(self, *_args: Any, **options: Any) -> None:
        folder = options["folder"] or settings.FM_DUMP_DIR
        months = write_dump(folder=folder, now=timezone.now())
        self.stdout.write(f"Months written to {folder}: {months}.")
