"""`manage.py maintenance on REASON` and `manage.py maintenance off`, as janitors do it in the admin."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from operations.selectors import read_closing_reason
from operations.services.outages import end_maintenance, start_maintenance


class Command(BaseCommand):
    help = "Starts or ends maintenance: pages say why, email waits, and all clocks stop. Without a word, says what is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("state", choices=["on", "off"], nargs="?")
        parser.add_argument("reason", nargs="*", help="what everyone sees on every page")

    def handle(self, *_args: Any, **options: Any) -> None:
        reason = " ".join(options["reason"])
        if options["state"] == "on":
            if not reason or len(reason) > 300:
                raise CommandError("Say why, in at most 300 characters: every page shows it.")
            start_maintenance(by=None, reason=reason, now=timezone.now())
        elif options["state"] == "off":
            end_maintenance(by=None, now=timezone.now())
        closed = read_closing_reason()
        self.stdout.write(f"The site is under maintenance: {closed}" if closed else "The site is open.")
