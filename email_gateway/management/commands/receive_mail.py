"""`manage.py receive_mail`: the entry points for email."""

import asyncio
import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from email_gateway.errors import MailTooLarge, UnknownMailbox
from email_gateway.receive.heartbeats import sending_heartbeats
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.listener import listen
from operations.models import Heartbeat

# Exit codes of sysexits.h, which mail servers understand.
NO_USER, DATA_ERROR, TRY_AGAIN = 67, 65, 75


class Command(BaseCommand):
    help = "Takes mail with orders: --smtp or --lmtp listen, --stdin reads one mail from a pipe."
    # For the pipe they would import every page for every mail, and one that fails would send the mail back.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        local = f"127.0.0.1:{settings.FM_SMTP_PORT}"
        doors = parser.add_mutually_exclusive_group(required=True)
        doors.add_argument("--smtp", metavar="HOST:PORT", nargs="?", const=local, help=f"listen for SMTP ({local})")
        doors.add_argument("--lmtp", metavar="HOST:PORT", nargs="?", const=local, help=f"listen for LMTP ({local})")
        doors.add_argument("--stdin", action="store_true", help="read one mail, as a pipe of a mail server gives it")
        parser.add_argument("--from", dest="mail_from", help="envelope sender of that mail (default: $SENDER)")
        parser.add_argument("--to", dest="rcpt_tos", action="append", help="its recipient (default: $RECIPIENT)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["stdin"]:
            self.read_one(options["mail_from"], options["rcpt_tos"])
            return
        if not options.get("skip_checks"):
            self.check()
        host, port = read_address(options["smtp"] or options["lmtp"])
        try:
            with sending_heartbeats(Heartbeat.Part.MAIL_IN):
                asyncio.run(listen(host, port, lmtp=bool(options["lmtp"]), say=self.say))
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error.strerror}.") from error

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def read_one(self, mail_from: str | None, rcpt_tos: list[str] | None) -> None:
        sender = os.environ.get("SENDER", "") if mail_from is None else mail_from
        recipients = rcpt_tos or [os.environ.get("RECIPIENT") or f"fm@{settings.FM_MAIL_DOMAIN}"]
        raw = sys.stdin.buffer.read(settings.FM_MAIL_SIZE_LIMIT + 1)
        try:
            ingest_mail(raw=raw, mail_from=sender, rcpt_tos=recipients, now=timezone.now())
        except UnknownMailbox as error:
            raise CommandError(f"No such mailbox: {error}", returncode=NO_USER) from error
        except MailTooLarge as error:
            raise CommandError(f"Too large: {error}", returncode=DATA_ERROR) from error
        except Exception as error:  # whatever the error, the mail server keeps the email and tries again
            raise CommandError(f"Cannot store the mail now ({type(error).__name__}).", returncode=TRY_AGAIN) from error


def read_address(text: str) -> tuple[str, int]:
    """Read HOST:PORT; raise CommandError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) < 65536:
        raise CommandError(f'"{text}" is no HOST:PORT, such as 127.0.0.1:8025.')
    return host.strip("[]"), int(port)
