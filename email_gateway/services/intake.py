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
from email_gateway.addresses import group_mailboxes, name_reader
from email_gateway.errors import MailTooLarge, UnknownMailbox
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


@dataclass(frozen=True)
class Parcel:
    """A mail on its way into the rows: its envelope for one reader, sealed, and what copies of it have in common."""

    fingerprint: str
    sealed: bytes
    size: int


def ingest_mail(*, raw: bytes, mail_from: str, rcpt_tos: Sequence[str], now: datetime) -> InboundMail:
    """Store a mail, encrypted, and return its row; a copy of a mail that is here already is counted on that row.

    When this returns, the mail is safe and the sender may be told so. A mail to several readers (two reply addresses)
    is stored once for each, and the first row returned. Raises UnknownMailbox when one of the recipients is nobody
    here, MailTooLarge beyond FM_MAIL_SIZE_LIMIT bytes.
    """
    parcels = wrap_parcels(raw=raw, mail_from=mail_from, rcpt_tos=rcpt_tos, now=now)
    with transaction.atomic():
        mails = [store_parcel(parcel, now) for parcel in parcels]
        transaction.on_commit(partial(wake_obedience, [mail.pk for mail in mails]), robust=True)
    return mails[0]


def wrap_parcels(*, raw: bytes, mail_from: str, rcpt_tos: Sequence[str], now: datetime) -> list[Parcel]:
    """Check a mail and seal it, once for each of its readers. Raises as `ingest_mail`; touches no row."""
    if len(raw) > settings.FM_MAIL_SIZE_LIMIT:
        raise MailTooLarge(f"{len(raw)} bytes; {settings.FM_MAIL_SIZE_LIMIT} are taken")
    sender = mail_from.strip().strip("<>").lower()
    groups = group_mailboxes(rcpt_tos)
    if not groups:
        raise UnknownMailbox("nobody")
    parcels = []
    for group in groups:
        envelope = Envelope(sender, tuple(one.lower() for one in group), raw)
        parcels.append(Parcel(take_fingerprint(envelope, now), seal_envelope(envelope), len(raw)))
    return parcels


def store_parcels(*, parcels: Sequence[Parcel], now: datetime) -> list[int]:
    """Store many in one transaction and return the numbers of their rows; whoever waits is told after it is over.

    One commit for all that came at the same time is what lets a listener keep up. Nobody is woken: the caller does it.
    """
    try:
        with transaction.atomic():
            mark = take_stage_mark()
            rows = [make_row(parcel, mark, now) for parcel in parcels]
            return [row.pk for row in InboundMail.objects.bulk_create(rows)]
    except IntegrityError:  # copies among them
        with transaction.atomic():
            return [store_parcel(parcel, now).pk for parcel in parcels]


def store_parcel(parcel: Parcel, now: datetime) -> InboundMail:
    """Store one, or count it on the row of the mail that it is a copy of."""
    try:
        with transaction.atomic():
            row = make_row(parcel, take_stage_mark(), now)
            row.save(force_insert=True)
    except IntegrityError:
        InboundMail.objects.filter(fingerprint=parcel.fingerprint).update(copies=F("copies") + 1)
        row = InboundMail.objects.get(fingerprint=parcel.fingerprint)
    return row


def make_row(parcel: Parcel, stage_mark: int, now: datetime) -> InboundMail:
    return InboundMail(
        fingerprint=parcel.fingerprint,
        sealed=parcel.sealed,
        size=parcel.size,
        received_at=now,
        stage_mark=stage_mark,
        due_at=now,
    )


def take_fingerprint(envelope: Envelope, now: datetime) -> str:
    """Return what copies of one mail have in common, whatever the mail systems between wrote on top of it.

    That is its reader, Message-ID, date, subject and body; where it has no Message-ID, its sender too, which mail
    systems between may rewrite. A mail with neither Message-ID nor date is taken for a copy only within the same hour.
    """
    message = parse_headers(envelope.raw)
    number = first_id(read_header(message, "Message-ID"))
    date = read_header(message, "Date")
    sender = "" if number else envelope.mail_from
    hour = "" if number or date else now.strftime("%Y-%m-%dT%H")
    _, _, body = envelope.raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    head = [sender, name_reader(envelope.rcpt_tos), number, date, hour, read_header(message, "Subject")]
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
