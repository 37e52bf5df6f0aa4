"""Complaints: a mail provider's report that one of its users has marked our email as unwanted (ARF, RFC 5965).

Providers remove their user's address from the report, so our own signed addresses in the email that it returns say
whose it is. A report without one counts for nothing: to forge one against a player, an attacker would need our email to
them.
"""

from collections.abc import Iterator
from datetime import datetime
from email.message import Message

from accounts.models import User
from email_gateway.addresses import ReplyToken, find_mailbox
from email_gateway.deliver.bounces import note_complaint
from email_gateway.errors import UnknownMailbox
from email_gateway.models import MailAddress
from email_gateway.receive.read_letter import content_type, list_parts, read_address, read_header
from notifications.selectors.notices import address_for_notices

# The other types are about forged senders (RFC 6591), viruses, or email that its reader does want.
UNWANTED = ("abuse", "fraud", "opt-out", "opt-out-list")
# Where the report (the first one) and the returned email name the addresses that we sent it from.
OURS = ("Original-Mail-From", "Return-Path", "Reply-To")


def process_complaint(*, message: Message, now: datetime) -> None:
    """Stop email to the reader of the email that this report returns, if it is a complaint about one of ours."""
    kind = read_feedback_type(message)
    address = find_complainer(message) if kind in UNWANTED else None
    if address is not None:
        note_complaint(address=address, error=f"complained {kind}", now=now)


def read_feedback_type(message: Message) -> str:
    """Return the type of a feedback report in small letters, or "" for any other email."""
    return next((read_header(block, "Feedback-Type").lower() for block in list_blocks(message)), "")


def list_blocks(message: Message) -> list[Message]:
    """Return the fields of a feedback report, which are the body of one of its parts."""
    parts = [part for part in list_parts(message) if content_type(part) == "message/feedback-report"]
    return [block for part in parts for block in list_parts(part)]


def find_complainer(message: Message) -> str | None:
    """Return the address that the returned email went to, by the first of our signed addresses in it."""
    return next((address for token in list_our_tokens(message) if (address := find_reader(token))), None)


def find_reader(token: ReplyToken) -> str | None:
    """Return where email with this signed address in it went, or None if nobody is there now."""
    if token.kind == "bounce":
        return MailAddress.objects.filter(pk=token.about).values_list("address", flat=True).first()
    user = User.objects.filter(pk=token.user_id).first() if token.user_id is not None else None
    return address_for_notices(user) if user is not None else None


def list_our_tokens(message: Message) -> Iterator[ReplyToken]:
    """Yield the contents of our signed addresses in a report, those of its envelope before those of its headers."""
    parts = [inner for part in list_parts(message) for inner in (part, *list_parts(part))]
    for name in OURS:
        for part in parts:
            try:
                token = find_mailbox(read_address(read_header(part, name))).token
            except UnknownMailbox:
                continue
            if token is not None:
                yield token
