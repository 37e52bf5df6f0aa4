"""Taking a mail in: stored and committed first, thought about later."""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.sealing import seal_bytes, unseal_bytes
from duels.selectors import take_stage_mark
from email_gateway.addresses import find_mailbox
from email_gateway.errors import MailTooLarge
from email_gateway.models import InboundMail
from email_gateway.reading.letters import first_id, read_header
from email_gateway.reading.parsing import parse_headers
from email_gateway.wakeups import wake_obedience


@dataclass(frozen=True)
class Envelope:
    """What the sending side said beside the mail: from whom, and to which of our mailboxes."""

    mail_from: str
    rcpt_tos: tuple[str, ...]
    raw: bytes


def ingest_mail(*, raw: bytes, mail_from: str, rcpt_tos: Sequence[str], now: datetime) -> InboundMail:
    """Store a mail, encrypted, and return its row; a copy of a mail that is here already is counted on that row.

    When this returns, the mail is safe and the sender may be told so. Raises UnknownMailbox when one of the recipients
    is nobody here, MailTooLarge beyond FM_MAIL_SIZE_LIMIT bytes.
    """
    if len(raw) > settings.FM_MAIL_SIZE_LIMIT:
        raise MailTooLarge(f"{len(raw)} bytes; {settings.FM_MAIL_SIZE_LIMIT} are taken")
    for address in rcpt_tos:
        find_mailbox(address)
    envelope = Envelope(mail_from.strip().strip("<>").lower(), tuple(one.lower() for one in rcpt_tos), raw)
    fingerprint = take_fingerprint(envelope, now)
    try:
        with transaction.atomic():
            mail = InboundMail.objects.create(
                fingerprint=fingerprint,
                sealed=seal_envelope(envelope),
                size=len(raw),
                received_at=now,
                stage_mark=take_stage_mark(),
                due_at=now,
            )
            transaction.on_commit(partial(wake_obedience, mail.pk), robust=True)
    except IntegrityError:
        InboundMail.objects.filter(fingerprint=fingerprint).update(copies=F("copies") + 1)
        mail = InboundMail.objects.get(fingerprint=fingerprint)
    return mail


def take_fingerprint(envelope: Envelope, now: datetime) -> str:
    """Return what copies of one mail have in common, whatever the mail systems between wrote on top of it.

    That is sender, mailboxes, Message-ID, date, subject and body. A mail with neither Message-ID nor date is taken for
    a copy only within the same hour.
    """
    message = parse_headers(envelope.raw)
    number = first_id(read_header(message, "Message-ID"))
    date = read_header(message, "Date")
    hour = "" if number or date else now.strftime("%Y-%m-%dT%H")
    _, _, body = envelope.raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    head = [envelope.mail_from, sorted(envelope.rcpt_tos), number, date, hour, read_header(message, "Subject")]
    return hashlib.sha256(json.dumps(head).encode() + b"\0" + body.rstrip()).hexdigest()


def seal_envelope(envelope: Envelope) -> bytes:
    """Return the whole mail encrypted."""
    facts = {
        "from": envelope.mail_from,
        "to": list(envelope.rcpt_tos),
        "raw": base64.b64encode(envelope.raw).decode(),
    }
    return seal_bytes(json.dumps(facts).encode())


def unseal_envelope(sealed: bytes) -> Envelope:
    """Return what `seal_envelope` was given. Raises accounts.sealing.InvalidToken."""
    facts = json.loads(unseal_bytes(bytes(sealed)))
    return Envelope(facts["from"], tuple(facts["to"]), base64.b64decode(facts["raw"]))
