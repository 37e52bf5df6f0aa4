"""`manage.py check_dump FOLDER`: replays, scores and rates every battle of a dump again, without a database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studies.dump import check_dump
from studies.dump.files import SUMS


class Command(BaseCommand):
    help = "Check that the figures of a dump follow from its battles. Lists every fault and fails if there are any."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder with SHA256SUMS and the files it lists")

    def handle(self, *_args: Any, **options: Any) -> None:
        folder = options["folder"]
        if not (folder / SUMS).is_file():
            raise CommandError(f"{folder} is not a dump: it has no {SUMS}.")
        battles, faults = check_dump(folder)
        for fault in faults:
            self.stdout.write(str(fault))
        if faults:
            raise CommandError(f"Faults: {len(faults)}. Battles checked: {battles}.")
        self.stdout.write(f"Battles checked: {battles}. All records, scores and ratings match.")
