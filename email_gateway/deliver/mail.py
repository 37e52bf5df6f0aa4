"""One of our emails before it is sent: its text, and the headers of its kind."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from email.utils import formataddr, parseaddr
from io import BytesIO
from pathlib import Path
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from email_gateway.addresses import BOUNCES
from email_gateway.arms import make_arms_parts
from email_gateway.models import InboundMail
from email_gateway.text.quotes import MARKER
from notifications.models import Delivery
from notifications.services.deliveries import queue_delivery

LONGEST_SUBJECT = 150


@dataclass(frozen=True)
class Mail:
    """An email as it will be sent. `text` says everything; `html`, if any, says the same with beads and tables.

    `sender` is what the reader must do, in the sender's name ("your move"). `reply_to` blank: the common mailbox for
    orders. `thread` is what the email belongs to, e.g. "battle.12": its emails
    answer a common root, so that readers see them together. `unsubscribe` is the page that stops emails of its kind by
    one POST (RFC 8058), `list_id` what they are about, e.g. "12.battles". `secret`: no copy of it is stored. `links`
    are the buttons that begin a reply, each with its words and address: a daily email has those of all its emails.
    `files` are attached in one archive, by their names.
    """

    subject: str
    text: str
    html: str = ""
    sender: str = ""
    reply_to: str = ""
    thread: str = ""
    in_reply_to: str = ""
    automatic: Literal["auto-generated", "auto-replied"] = "auto-generated"
    unsubscribe: str = ""
    list_id: str = ""
    secret: bool = False
    links: list[dict[str, str]] = field(default_factory=list)
    extra: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Mail":
        return cls(**json.loads(text))


class Letter(EmailMultiAlternatives):
    """A message whose attachments belong to its HTML part."""

    mixed_subtype = "related"


def make_message(mail: Mail, *, to: str, message_id: str) -> EmailMultiAlternatives:
    """Return Django's message. Its envelope sender is the address for delivery reports, its From the referee, and it
    begins with the line above which replies are read."""
    message = Letter(
        subject=clean_header(mail.subject)[:LONGEST_SUBJECT],
        body=f"{MARKER}\n\n{mail.text}",
        from_email=f"{BOUNCES}@{settings.FM_MAIL_DOMAIN}",
        to=[to],
        reply_to=[mail.reply_to or f"fm@{settings.FM_MAIL_DOMAIN}"],
        headers=write_headers(mail, message_id),
    )
    if mail.html:
        message.attach_alternative(mail.html, "text/html")
        for part in make_arms_parts(mail.html):
            message.attach(part)
    if mail.files:
        message.mixed_subtype = "mixed"
        message.attach(f"{Path(next(iter(mail.files))).stem}.zip", pack_files(mail.files), "application/zip")
    return message


def pack_files(files: Mapping[str, str]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def write_headers(mail: Mail, message_id: str) -> dict[str, str]:
    """Return the headers beyond subject and addresses. None of them contains unchecked text of players."""
    root = f"<{mail.thread}@{settings.FM_MAIL_DOMAIN}>" if mail.thread else ""
    parents = [parent for parent in (root, mail.in_reply_to) if parent]
    headers = {
        "From": write_sender(mail.sender),
        "Message-ID": message_id,
        "Auto-Submitted": mail.automatic,
        "X-Auto-Response-Suppress": "All",
    }
    if parents:
        headers |= {"In-Reply-To": clean_header(parents[-1]), "References": clean_header(" ".join(parents))}
    if mail.unsubscribe:
        headers["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if mail.list_id:
        headers["List-Id"] = f"<{clean_header(mail.list_id)}.{settings.FM_MAIL_DOMAIN}>"
    return headers | mail.extra


def write_sender(errand: str) -> str:
    """Return our name and address, with what the reader must do."""
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    if not errand:
        return str(settings.DEFAULT_FROM_EMAIL)
    return formataddr((clean_header(f"{name} - {errand}" if name else errand), address), "utf-8")


def clean_header(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def queue_mail(mail: Mail, *, address: str, inbound: InboundMail | None, user: User | None, now: datetime) -> Delivery:
    """Queue the only answer to `inbound`, to be sent soon."""
    row = queue_delivery(mail=mail.to_json(), subject=mail.subject, address=address, user=user, now=now)
    if inbound is not None:
        InboundMail.objects.filter(pk=inbound.pk).update(answer=row)
    return row
