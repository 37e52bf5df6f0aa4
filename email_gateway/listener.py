"""The listener: SMTP or LMTP on one address. A mail is stored and committed before the sender hears "250"."""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from email_gateway.addresses import find_mailbox
from email_gateway.errors import MailTooLarge, UnknownMailbox
from email_gateway.services import ingest_mail

log = structlog.get_logger(__name__)
MOST_RECIPIENTS = 20
IDLE_SECONDS = 120


class Intake:
    """What aiosmtpd asks at each step of a conversation with a mail server."""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        try:
            find_mailbox(address)
        except UnknownMailbox:
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return await asyncio.to_thread(store, envelope)


def store(envelope: Envelope) -> str:
    """Store the mail and return the answer to its sender; runs in a thread of its own with a connection of its own."""
    close_old_connections()
    try:
        content = envelope.original_content or b""
        mail = ingest_mail(
            raw=content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"),
            mail_from=envelope.mail_from or "",
            rcpt_tos=envelope.rcpt_tos,
            now=timezone.now(),
        )
    except MailTooLarge:
        return "552 5.3.4 The mail is too large"
    except UnknownMailbox:
        return "550 5.1.1 No such mailbox here"
    except DatabaseError as error:
        log.error("mail not stored", error=type(error).__name__)
        return "451 4.3.0 Cannot store the mail now, try again"
    finally:
        close_old_connections()
    return f"250 2.0.0 Stored as {mail.pk}"


def make_protocol(*, lmtp: bool) -> SMTP:
    """Return the protocol for one connection."""
    protocol: Callable[..., SMTP] = LMTP if lmtp else SMTP
    return protocol(
        Intake(),
        hostname=settings.FM_MAIL_DOMAIN,
        ident="Firetop Mountain",
        data_size_limit=settings.FM_MAIL_SIZE_LIMIT,
        enable_SMTPUTF8=True,
        timeout=IDLE_SECONDS,
        command_call_limit={"*": 1000},
    )


async def listen(host: str, port: int, *, lmtp: bool, say: Callable[[str], Any]) -> None:
    """Take mail until SIGTERM or SIGINT; mails that are being stored then are stored."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, stopped.set)
    server = await loop.create_server(lambda: make_protocol(lmtp=lmtp), host, port)
    say(f"{'LMTP' if lmtp else 'SMTP'} on {host}:{server.sockets[0].getsockname()[1]}")
    async with server:
        await stopped.wait()
    await loop.shutdown_default_executor()
