"""Sending one email.

After a crash between sending and saving, the same email is sent again with the same Message-ID, so that mail systems
and the local mailbox recognise it.
"""

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from email_gateway.addresses import make_bounce_address
from email_gateway.deliver.bounces import find_address, note_failure
from email_gateway.errors import NothingToSend, Unsendable
from notifications.models import SkipReason
from operations.models import Heartbeat
from operations.services.outages import mark_part_failing, mark_part_working


@dataclass
class MailConnection:
    """A connection to the mail server for several emails. `is_noted`: it has been noted that sending works."""

    backend: BaseEmailBackend
    is_noted: bool = False


_line: ContextVar[MailConnection | None] = ContextVar("line", default=None)


@contextmanager
def reuse_connection() -> Iterator[None]:
    """Send all emails of this context over one connection; after an error, the next email opens another."""
    line = MailConnection(get_connection())
    mark = _line.set(line)
    try:
        yield
    finally:
        _line.reset(mark)
        with suppress(OSError):
            line.backend.close()


def send_message(message: EmailMessage, address: str, now: datetime) -> None:
    """Give one email to the back end and count the result for the address. Raises Unsendable if rejected for good, and
    NothingToSend if we write nothing to the address."""
    row = find_address(address)
    if row.stopped_at is not None:
        raise NothingToSend(SkipReason.STOPPED)
    message.from_email = make_bounce_address(address_id=row.pk)
    try:
        line = _line.get()
        if line is None:
            message.send()
        else:
            send_over(line, message)
        if line is None or not line.is_noted:
            mark_part_working(part=Heartbeat.Part.MAIL_OUT, now=now)
        if line is not None:
            line.is_noted = True
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        permanent = bool(codes) and all(code >= 500 for code in codes)
        note_failure(address=address, error=f"refused {codes[:1]}", permanent=permanent, now=now)
        if permanent:
            raise Unsendable(f"refused by its server: {codes[0]}") from error
        raise
    except OSError as error:
        # The server is down, or accepts nothing from us. (A rejection of one email would say nothing about the others.)
        if not isinstance(error, smtplib.SMTPDataError):
            mark_part_failing(part=Heartbeat.Part.MAIL_OUT, now=now)
        raise


def send_over(line: MailConnection, message: EmailMessage) -> None:
    """Send one email over a connection that may already be open, or closed by the server."""
    message.connection = line.backend
    try:
        is_new = bool(line.backend.open())
        try:
            message.send()
        except smtplib.SMTPServerDisconnected:
            line.backend.close()
            if is_new:
                raise
            line.backend.open()
            message.send()
    except Exception:
        line.is_noted = False
        with suppress(OSError):
            line.backend.close()
        raise
