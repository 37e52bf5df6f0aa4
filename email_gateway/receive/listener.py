"""The listener: SMTP or LMTP on one address. An email is stored and committed before the sender gets "250"."""

import asyncio
import contextlib
import re
import signal
from collections.abc import Callable
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax
from django.conf import settings
from django.utils import timezone

from email_gateway.addresses import find_mailbox
from email_gateway.errors import UnknownMailbox
from email_gateway.receive.mail_store import TRY_AGAIN, MailStore
from operations.web.client_address import read_address

log = structlog.get_logger(__name__)

MOST_RECIPIENTS = 20
IDLE_SECONDS = 120
# The time from opening a connection, or its last email, to the end of the next email.
SECONDS_FOR_A_MAIL = 600
MOST_CONNECTIONS = 400
# Connections from one address; a mail server on this machine may open any number.
MOST_FROM_ONE_ADDRESS = 20
# Bytes. The standard has 998, and some programs write a whole HTML page on one line.
LONGEST_LINE = 65_536
# The one mailbox that every server has without its domain (RFC 5321, section 4.5.1).
POSTMASTER = re.compile(r"(?P<start>\s*TO:\s*<postmaster)(?=>)", re.I)
# The enhanced status of replies that aiosmtpd gives without one (RFC 2034, RFC 3463), by code.
STATUS = {
    "221": "2.0.0", "250": "2.0.0", "252": "2.5.0", "421": "4.3.2", "451": "4.3.0", "452": "4.5.3", "454": "4.7.0",
    "500": "5.5.2", "501": "5.5.4", "502": "5.5.1", "503": "5.5.1", "504": "5.5.4", "530": "5.7.0", "552": "5.3.4",
    "553": "5.1.3", "555": "5.5.4",
}  # fmt: skip
REPLY = re.compile(r"(?P<code>[245]\d\d) (?!\d\.\d{1,3}\.\d{1,3}\b)(?P<text>.*)", re.S)
PLAIN_ADDRESS = re.compile(r"\s*<(?P<address>[\w.=+-]{1,64}@[\w.-]{1,255})>\s*(?P<rest>.*)", re.A)


class Intake:
    """The handler that aiosmtpd calls at each step of a conversation with a mail server."""

    def __init__(self, store: MailStore) -> None:
        self.store = store

    async def handle_HELO(self, server: SMTP, session: Session, envelope: Envelope, hostname: str) -> str:
        session.host_name = hostname
        if isinstance(server, OrdersSMTP):
            server.greetings = 1
        return f"250 {server.hostname}"

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        replies = [*responses[:-1], "250-PIPELINING", "250-ENHANCEDSTATUSCODES", *responses[-1:]]
        if isinstance(server, OrdersSMTP):
            server.greetings = len(replies)
        return replies

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        try:
            find_mailbox(address, timezone.now().date())
        except UnknownMailbox:
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        """Let the sender keep the email and try again; aiosmtpd would refuse it for good, with the error's text."""
        log.error("conversation failed", error=type(error).__name__)
        return TRY_AGAIN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        answer = await self.store.store(raw, envelope.mail_from or "", envelope.rcpt_tos)
        if isinstance(server, OrdersSMTP):
            server.allow_time()
        return answer


class OrdersSMTP(SMTP):
    """SMTP with our limits."""

    line_length_limit = LONGEST_LINE
    time_for_a_mail: asyncio.TimerHandle | None = None
    # How many of the next replies answer a greeting: those have no enhanced status (RFC 2034).
    greetings = 0

    @property
    def open_lines(self) -> "set[OrdersSMTP]":
        handler: Intake = self.event_handler
        return handler.store.lines

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        address = self.find_address()
        same = sum(line.find_address() == address for line in self.open_lines)
        if len(self.open_lines) >= MOST_CONNECTIONS or (same >= MOST_FROM_ONE_ADDRESS and not is_loopback(address)):
            self._writer.write(b"421 4.3.2 Too many connections, try again later\r\n")
            if self._handler_coroutine is not None:
                self._handler_coroutine.cancel()
            transport.close()
            return
        self.open_lines.add(self)
        self.allow_time()

    def connection_lost(self, error: Exception | None) -> None:
        self.open_lines.discard(self)
        if self.time_for_a_mail is not None:
            self.time_for_a_mail.cancel()
        super().connection_lost(error)

    def allow_time(self) -> None:
        """Give the sender time for one more email."""
        if self.time_for_a_mail is not None:
            self.time_for_a_mail.cancel()
        self.time_for_a_mail = self.loop.call_later(SECONDS_FOR_A_MAIL, self._timeout_cb)

    def _timeout_cb(self) -> None:
        # Like aiosmtpd's, which would wait for a sender that reads nothing.
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def find_address(self) -> str:
        """Return the address of the sender, or "" if there is none."""
        peer = self.session.peer if self.session is not None else None
        return str(peer[0]) if isinstance(peer, tuple) else ""

    @syntax("RCPT TO: <address>", extended=" [SP <mail-parameters>]")
    async def smtp_RCPT(self, arg: str | None) -> None:
        await super().smtp_RCPT(arg and POSTMASTER.sub(rf"\g<start>@{settings.FM_MAIL_DOMAIN}", arg, count=1))

    async def push(self, status: Any) -> None:
        """Send a reply, with an enhanced status."""
        text = status if isinstance(status, str) else bytes(status).decode("latin-1")
        found = REPLY.fullmatch(text)
        if self.greetings:
            self.greetings -= 1
        elif found and found["code"] in STATUS:
            text = f"{found['code']} {STATUS[found['code']]} {found['text']}"
        await super().push(text)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Like aiosmtpd's, which parses the full grammar and spends a third of a short email's time on it."""
        match = PLAIN_ADDRESS.fullmatch(arg)
        return (match["address"], match["rest"]) if match else super()._getaddr(arg)


class OrdersLMTP(OrdersSMTP, LMTP):
    """LMTP: after the email, one reply for each recipient (RFC 2033, section 4.2)."""

    awaited = 1

    async def smtp_DATA(self, arg: str) -> None:
        try:
            await super().smtp_DATA(arg)
        finally:
            self.awaited = 1

    async def push(self, status: Any) -> None:
        text = status if isinstance(status, str) else bytes(status).decode("latin-1")
        for _ in range(self.awaited):
            await super().push(status)
        # After this reply comes the email, and after the email our reply for each recipient.
        if text.startswith("354") and self.envelope is not None:
            self.awaited = len(self.envelope.rcpt_tos)


def is_loopback(address: str) -> bool:
    """Return whether a sender is on this machine, as one without an address is."""
    ip = read_address(address)
    return ip is None or ip.is_loopback


def make_protocol(store: MailStore, *, lmtp: bool) -> SMTP:
    protocol: Callable[..., SMTP] = OrdersLMTP if lmtp else OrdersSMTP
    return protocol(
        Intake(store),
        hostname=settings.FM_MAIL_DOMAIN,
        ident="Firetop Mountain",
        data_size_limit=settings.FM_MAIL_SIZE_LIMIT,
        enable_SMTPUTF8=True,
        timeout=IDLE_SECONDS,
        command_call_limit={"*": 1000},
    )


async def listen(host: str, port: int, *, lmtp: bool, say: Callable[[str], Any]) -> None:
    """Accept email until SIGTERM or SIGINT; finish storing emails that are already arriving."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, stopped.set)
    store = MailStore()
    server = await loop.create_server(lambda: make_protocol(store, lmtp=lmtp), host, port)
    say(f"{'LMTP' if lmtp else 'SMTP'} on {host}:{server.sockets[0].getsockname()[1]}")
    async with server:
        await stopped.wait()
    await store.finish()
