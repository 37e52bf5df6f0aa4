"""Accepts emails: stored and committed first, processed later."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from duels.selectors.stage_keys import take_stage_mark
from email_gateway.addresses import Mailbox, find_mailbox, group_mailboxes, name_reader
from email_gateway.errors import MailTooLarge, UnknownMailbox
from email_gateway.models import InboundMail
from email_gateway.wakeups import wake_processing
from operations.encryption import InvalidToken, seal_bytes, unseal_bytes
from operations.metrics import MAIL_IN, count_on_commit

IDENTIFYING_HEADERS = re.compile(rb"^(message-id|date|subject):([^\n]*(?:\n[ \t][^\n]*)*)", re.I | re.M)


@dataclass(frozen=True)
class Envelope:
    """The envelope: the sender, and the email's recipients among our mailboxes."""

    mail_from: str
    rcpt_tos: tuple[str, ...]
    raw: bytes


@dataclass(frozen=True)
class Parcel:
    """An email before it is stored: its sealed envelope for one reader, and the fingerprint that its copies share."""

    fingerprint: str
    sealed: bytes
    size: int


PARCEL_COLUMNS = ("fingerprint", "sealed", "size")


def ingest_mail(*, raw: bytes, mail_from: str, rcpt_tos: Sequence[str], now: datetime) -> InboundMail:
    """Store an email, encrypted, and return its row; a copy of a stored email is counted on its row.

    When this returns, the email is safe, and we may confirm it to the sender. An email to several readers (two reply
    addresses) is stored once for each, and the first row is returned. Raises UnknownMailbox if a recipient does not
    exist here, MailTooLarge beyond FM_MAIL_SIZE_LIMIT bytes.
    """
    parcels = wrap_parcels(raw=raw, mail_from=mail_from, rcpt_tos=rcpt_tos, now=now)
    with transaction.atomic():
        mails = [store_parcel(parcel, now) for parcel in parcels]
        count_on_commit(MAIL_IN, len(parcels))
        transaction.on_commit(partial(wake_processing, mails[0].pk if len(mails) == 1 else None), robust=True)
    return mails[0]


def wrap_parcels(*, raw: bytes, mail_from: str, rcpt_tos: Sequence[str], now: datetime) -> list[Parcel]:
    """Check an email and seal it, once for each of its readers. Raises like `ingest_mail`; writes no rows."""
    if len(raw) > settings.FM_MAIL_SIZE_LIMIT:
        raise MailTooLarge(f"{len(raw)} bytes; {settings.FM_MAIL_SIZE_LIMIT} are allowed")
    sender = mail_from.strip().strip("<>").lower()
    groups = group_mailboxes(rcpt_tos, now.date())
    if not groups:
        raise UnknownMailbox("nobody")
    parcels = []
    for group in groups:
        envelope = Envelope(sender, tuple(one.lower() for one in group), raw)
        parcels.append(Parcel(take_fingerprint(envelope, now), seal_envelope(envelope), len(raw)))
    return parcels


def store_parcels(*, parcels: Sequence[Parcel], now: datetime) -> list[int]:
    """Store parcels in one transaction. Return the ids of their rows, or none if looking them up is not worth it.

    A single commit for emails that arrive together lets a listener keep up. The caller must wake the worker.
    """
    if len(parcels) > 1:
        try:
            with transaction.atomic():
                insert_parcels(parcels, take_stage_mark(), now)
                count_on_commit(MAIL_IN, len(parcels))
            return []
        except IntegrityError:  # copies among them
            pass
    with transaction.atomic():
        count_on_commit(MAIL_IN, len(parcels))
        return [store_parcel(parcel, now).pk for parcel in parcels]


def insert_parcels(parcels: Sequence[Parcel], stage_mark: int, now: datetime) -> None:
    """Insert a row for each. All but three columns are the same; writing them again for each row, as bulk_create does,
    takes longer than everything else."""
    fields = [field for field in InboundMail._meta.concrete_fields if not field.primary_key]
    pattern = make_row(parcels[0], stage_mark, now)
    values = [field.get_db_prep_save(getattr(pattern, field.attname), connection) for field in fields]
    own = {place: field for place, field in enumerate(fields) if field.attname in PARCEL_COLUMNS}
    rows = []
    for parcel in parcels:
        for place, field in own.items():
            values[place] = field.get_db_prep_save(getattr(parcel, field.attname), connection)
        rows.append(tuple(values))
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {InboundMail._meta.db_table} ({names}) VALUES ({marks})", rows)


def store_parcel(parcel: Parcel, now: datetime) -> InboundMail:
    """Store a parcel, or count it on the row of its original."""
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
    """Return the fingerprint that copies of one email share, whatever mail systems added on the way.

    It covers reader, Message-ID, date, subject and body; without a Message-ID also the sender, which mail systems may
    rewrite. An email with neither Message-ID nor date counts as a copy only within the same hour, one without a blank
    line after its headers only if every byte is the same.
    """
    head, blank, body = envelope.raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    if not blank:  # headers and text cannot be separated: only identical bytes are a copy
        facts = [envelope.mail_from, name_reader(envelope.rcpt_tos)]
        return hashlib.sha256(json.dumps(facts).encode() + b"\0" + envelope.raw).hexdigest()
    # Without Python's parser, because the sender is waiting.
    headers = {name.lower(): b" ".join(value.split()) for name, value in reversed(IDENTIFYING_HEADERS.findall(head))}
    number, date, subject = (headers.get(name, b"").decode("latin-1") for name in (b"message-id", b"date", b"subject"))
    sender = "" if number else envelope.mail_from
    hour = "" if number or date else now.strftime("%Y-%m-%dT%H")
    facts = [sender, name_reader(envelope.rcpt_tos), number, date, hour, subject]
    return hashlib.sha256(json.dumps(facts).encode() + b"\0" + body.rstrip()).hexdigest()


def has_blank_line(raw: bytes) -> bool:
    """Return whether an email's headers end correctly."""
    return b"\n\n" in raw.replace(b"\r\n", b"\n")


def seal_envelope(envelope: Envelope) -> bytes:
    """Return the whole email encrypted."""
    head = json.dumps({"from": envelope.mail_from, "to": list(envelope.rcpt_tos)})
    return seal_bytes(head.encode() + b"\n" + envelope.raw)


def unseal_envelope(sealed: bytes | memoryview | None) -> Envelope | None:
    """Reverse `seal_envelope`; None if the email is no longer stored, or its key is gone."""
    try:
        head, _, raw = unseal_bytes(bytes(sealed or b"")).partition(b"\n")
    except InvalidToken:
        return None
    facts = json.loads(head)
    if "raw" in facts:  # the old format, before the bytes came after the envelope
        raw = base64.b64decode(facts["raw"])
    return Envelope(facts["from"], tuple(facts["to"]), raw)


def choose_mailbox(envelope: Envelope) -> Mailbox:
    """Return the mailbox that counts: a reply address before the common one."""
    found = []
    for address in envelope.rcpt_tos:
        try:
            found.append(find_mailbox(address))
        except UnknownMailbox:
            continue
    return min(found, key=lambda one: one.token is None, default=Mailbox("orders"))
