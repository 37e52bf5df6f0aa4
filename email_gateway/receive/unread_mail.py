"""Whose deadlines wait for email: for one that waits to be processed, everyone's; for one that has failed on our side,
those of the users who seem to have written it, without proof."""

import re
from collections.abc import Collection
from datetime import datetime
from email import message_from_bytes, policy
from email.message import Message
from email.utils import getaddresses

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.db.models.functions import Lower

from accounts.models import User
from email_gateway.addresses import find_mailbox
from email_gateway.errors import UnknownMailbox
from email_gateway.models import InboundMail
from email_gateway.receive.intake import unseal_envelope
from email_gateway.receive.process_mail import MOST_ATTEMPTS, WAITING

USER_LINE = re.compile(r"\bUSER\s+([A-Za-z_][A-Za-z0-9_]{1,19})\b", re.IGNORECASE)
# An email with more names was written by nobody who plays.
MOST_NAMES = 20


def find_oldest_unread_mail(*, user_ids: Collection[int]) -> datetime | None:
    """Return when the oldest email arrived that waits to be processed and may concern these users; None if none does.

    Any email may, until it has been tried once. One that failed on our side concerns only those who seem to have
    written it, until it is stuck.
    """
    waiting = InboundMail.objects.filter(state__in=WAITING)
    has_failed = Q(attempts__gt=1) | Q(attempts=1, state=InboundMail.State.RECEIVED)
    oldest = waiting.exclude(has_failed).order_by("received_at").values_list("received_at", flat=True).first()
    # If a worker dies each time, nothing marks the email as stuck.
    for mail in waiting.filter(has_failed, attempts__lte=MOST_ATTEMPTS).order_by("received_at"):
        if oldest is not None and oldest <= mail.received_at:
            break
        if find_writers(mail) & set(user_ids):
            return mail.received_at
    return oldest


def find_writers(mail: InboundMail) -> set[int]:
    """Return the users whose address the email came from, whose reply address it was sent to, or whom it names in a
    USER line. Forged ones too: that lets nobody do anything."""
    envelope = unseal_envelope(mail.sealed)
    if envelope is None:
        return set()
    message = message_from_bytes(envelope.raw, policy=policy.compat32)
    senders = {envelope.mail_from, *(address for _name, address in getaddresses([str(message.get("From", ""))]))}
    addresses = {address.strip().lower() for address in senders if address}
    names = {name.lower() for part in message.walk() for name in USER_LINE.findall(read_part(part))}
    owners = {find_owner(address) for address in envelope.rcpt_tos}
    found = set(EmailAddress.objects.filter(email__in=addresses).values_list("user_id", flat=True))
    users = User.objects.alias(key=Lower("username")).filter(key__in=sorted(names)[:MOST_NAMES])
    return found | set(users.values_list("pk", flat=True)) | {owner for owner in owners if owner is not None}


def read_part(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def find_owner(address: str) -> int | None:
    try:
        token = find_mailbox(address).token
    except UnknownMailbox:
        return None
    return token.user_id if token else None
