"""Sending mails once more: to their owner alone, where they went before, and none that held a code or link."""

from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import User
from email_gateway.compose.plain_html import render_tables
from email_gateway.deliver.mail import Mail
from email_gateway.deliver.queue import queue_mail
from email_gateway.selectors import KeptMail, list_kept_mails
from fm_site.notifications.selectors import address_for_notices, zone_of
from fm_site.operations.moments import write_moment

MOST_AGAIN = 10


def resend_mails(*, user: User, count: int, now: datetime) -> int:
    """Queue the last `count` mails that went to the present address of `user`, oldest first; return how many."""
    address = address_for_notices(user)
    copies = list_kept_mails(user=user, address=address, limit=min(count, MOST_AGAIN)) if address else []
    zone = zone_of(user)
    for place, copy in enumerate(reversed(copies), start=1):
        mail = write_again(copy, place, len(copies), zone)
        queue_mail(mail, address=address or "", inbound=None, user=user, now=now)
    return len(copies)


def write_again(copy: KeptMail, place: int, count: int, zone: ZoneInfo) -> Mail:
    """Return the mail that holds a copy. No copy is kept of it (`secret`), so that copies do not breed."""
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
