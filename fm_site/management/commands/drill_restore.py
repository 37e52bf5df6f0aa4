"""`manage.py drill_restore`: restore the newest backup into a separate database, and replay its battles."""

from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from fm_site.upkeep.backup import BackupFailed
from fm_site.upkeep.restore_drill import drill_restore, look_into


class Command(BaseCommand):
    help = "Restores the newest backup into a database of its own, replays its battles, and drops it again."
    # The restored database may be from another release.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        # The second half, in a separate process.
        parser.add_argument("--look-into", metavar="DATABASE", default="", help=SUPPRESS)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            if options["look_into"]:
                self.stdout.write(look_into(options["look_into"]))
                return
            drill = drill_restore()
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(drill))
        if drill.different:
            raise CommandError("Some battles replay differently.")
