"""Delivery reports: a mail server's statement about an undelivered email, in the standard form (RFC 3464) or its own.

We distinguish dead addresses, addresses that temporarily accept nothing, and emails that were refused for their
content, which says nothing about the address.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from typing import Literal

from allauth.account.models import EmailAddress

from email_gateway.addresses import Mailbox
from email_gateway.deliver.bounces import note_failure
from email_gateway.models import MailAddress
from email_gateway.receive.automatic import list_marks
from email_gateway.receive.read_letter import content_type, list_parts, read_header, read_letter
from email_gateway.text.letter import make_storable

Verdict = Literal["permanent", "temporary", "content"]

MOST_RECIPIENTS = 50
STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
REPLY = re.compile(r"\b([45])\d\d[ -](?!\d)")
# RFC 3463: 5.3.4 is the size, 5.6 the content, 5.7 policy; much junk email is refused as 5.7.1.
ABOUT_CONTENT = re.compile(r"[45]\.(?:3\.4|6\.\d+|7\.\d+)")
# A full or temporarily closed mailbox is alive, whatever the first digit says.
FOR_NOW = re.compile(r"5\.2\.[12]|5\.4\.[1-9]")
# The first lines of servers with their own form of reports.
PLAIN_REPORT = re.compile(
    r"undeliver|delivery (status|failure|has failed|report|notification)|returned (mail|to sender)|mail delivery|"
    r"failure notice|could not be delivered|unzustellbar|non remis|no se puede entregar|mancata consegna",
    re.I,
)


@dataclass(frozen=True)
class Failure:
    """A report's statement about one recipient."""

    verdict: Verdict
    status: str


def read_report(message: Message, mail_from: str) -> Failure | None:
    """Return the worst result in a report, or None if the email does not report a failure.

    An answering machine's email is not a failure: it shows that the address is alive.
    """
    failures = list(find_failures(message))
    if failures:
        return min(failures, key=lambda one: ("permanent", "temporary", "content").index(one.verdict))
    if content_type(message) == "multipart/report" or not is_plain_report(message, mail_from):
        return None
    text = read_letter(message).text[:20_000]
    match = STATUS.search(text) or REPLY.search(text)
    status = match.group().strip(" -") if match else ""
    return Failure(judge_status(status or "4"), status)


def is_plain_report(message: Message, mail_from: str) -> bool:
    """Return whether an email without the standard's parts is still a report."""
    if message.get("X-Failed-Recipients"):
        return True
    if mail_from or read_header(message, "Auto-Submitted").lower().startswith("auto-replied"):
        return False
    return bool(PLAIN_REPORT.search(read_header(message, "Subject"))) or not list_marks(message)


def find_failures(message: Message) -> Iterator[Failure]:
    """Yield the failure of each recipient, from the standard's parts."""
    for block in list_recipient_blocks(message):
        action = read_header(block, "Action").lower()
        if action not in ("failed", "delayed"):
            continue
        match = STATUS.search(read_header(block, "Status")) or STATUS.search(read_header(block, "Diagnostic-Code"))
        status = make_storable(match.group()) if match else ""
        if action == "delayed":
            yield Failure("temporary", status)
        else:
            yield Failure(judge_status(status or "5"), status)


def list_recipient_blocks(message: Message) -> list[Message]:
    """Return the blocks of all message/delivery-status parts, except the first of each (the whole email)."""
    blocks: list[Message] = []
    for part in list_parts(message):
        if content_type(part) == "message/delivery-status":
            blocks += list_parts(part)
    return blocks[:MOST_RECIPIENTS]


def judge_status(status: str) -> Verdict:
    """Judge an enhanced status ("5.1.1"), an old reply code ("550") or its first digit."""
    if ABOUT_CONTENT.fullmatch(status):
        return "content"
    return "permanent" if status.startswith("5") and not FOR_NOW.fullmatch(status) else "temporary"


def process_report(*, message: Message, mailbox: Mailbox, mail_from: str, now: datetime) -> None:
    """Read a delivery report and count its result for the address that it was signed for."""
    failure = read_report(message, mail_from)
    if failure is None or mailbox.token is None or failure.verdict == "content":
        return
    row = MailAddress.objects.filter(pk=mailbox.token.about).first()
    if row is not None and EmailAddress.objects.filter(email__iexact=row.address).exists():
        error = f"bounced {failure.status}".strip()
        note_failure(address=row.address, error=error, permanent=failure.verdict == "permanent", now=now)
