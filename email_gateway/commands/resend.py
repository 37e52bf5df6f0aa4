"""RESEND: earlier emails again, only to the address they went to before, and none with a code or link."""

from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import User
from email_gateway.commands.words import split_words
from email_gateway.compose.plain_html import render_tables
from email_gateway.conversation import Conversation
from email_gateway.deliver.mail import Mail
from email_gateway.deliver.queue import queue_mail
from email_gateway.errors import OrderRejected
from email_gateway.selectors import list_kept_mails
from fm_site.notifications.models import Delivery
from fm_site.notifications.selectors import address_for_notices, zone_of
from fm_site.operations.moments import write_moment

CLAUSE = "FM-ORDINF-13"
MOST_AGAIN = 10


def handle_resend(talk: Conversation, rest: str) -> list[str]:
    """RESEND {n}: the last n mails, each as a mail of its own; the last one without a number."""
    user = talk.require_user("RESEND")
    words = split_words(rest)
    if len(words) > 1 or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise OrderRejected("RESEND takes a number of mails, or nothing.", nearest="RESEND 3", clause=CLAUSE)
    wanted = int(words[0]) if words else 1
    if not 1 <= wanted <= MOST_AGAIN:
        nearest = f"RESEND {MOST_AGAIN if wanted else 1}"
        raise OrderRejected(f"RESEND sends 1 to {MOST_AGAIN} mails.", nearest=nearest, clause=CLAUSE)
    sent = resend_mails(user=user, count=wanted, now=talk.asked.now)
    if not sent:
        return ["No mail to you is kept. Copies are kept for 30 days, and none of those with codes or links."]
    plural = "s come" if sent > 1 else " comes"
    return [f"{sent} mail{plural} once more." + (" More are not kept." if sent < wanted else "")]


def resend_mails(*, user: User, count: int, now: datetime) -> int:
    """Queue the last `count` mails that went to the present address of `user`, oldest first; return how many."""
    address = address_for_notices(user)
    copies = list_kept_mails(user=user, address=address, limit=min(count, MOST_AGAIN)) if address else []
    zone = zone_of(user)
    for place, copy in enumerate(reversed(copies), start=1):
        mail = write_again(copy, place, len(copies), zone)
        queue_mail(mail, address=address or "", inbound=None, user=user, now=now)
    return len(copies)


def write_again(copy: Delivery, place: int, count: int, zone: ZoneInfo) -> Mail:
    """Return the mail that holds a copy. No copy is kept of it (`secret`), so that copies do not breed."""
    assert copy.sent_at is not None
    parts = [
        f"Sent to you on {write_moment(copy.sent_at, zone)}:\n\n  {copy.subject}",
        copy.text.rstrip(),
        "To order, answer the mail itself, or begin with a USER line.",
    ]
    subject = f"Resend of Firetop Mountain mail ({place} of {count})"
    return Mail(
        subject=subject,
        text="\n\n".join(parts) + "\n",
        html=render_tables(heading=subject, parts=parts),
        automatic="auto-replied",
        secret=True,
    )
