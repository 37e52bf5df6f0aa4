"""RESEND: sends earlier emails again, only to the address they went to before, and none with a code or link."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from email_gateway.commands.words import split_words
from email_gateway.compose.parts import render_tables
from email_gateway.conversation import Conversation
from email_gateway.deliver.mail import Mail, queue_mail
from email_gateway.errors import OrderRejected
from email_gateway.selectors import list_stored_mails
from notifications.models import Delivery
from notifications.selectors.notices import address_for_notices, zone_of
from operations.text.dates import write_moment

CLAUSE = "FM-ORDINF-13"
MOST_AGAIN = 10


def handle_resend(talk: Conversation, rest: str) -> list[str]:
    """RESEND {n}: the last n emails, each as a separate email; without a number, the last one."""
    user = talk.require_user("RESEND")
    words = split_words(rest)
    if len(words) > 1 or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise OrderRejected(
            _("RESEND takes a number of emails, or nothing, after it."), nearest="RESEND 3", clause=CLAUSE
        )
    wanted = int(words[0]) if words else 1
    if not 1 <= wanted <= MOST_AGAIN:
        nearest = f"RESEND {MOST_AGAIN if wanted else 1}"
        raise OrderRejected(
            _("RESEND sends 1 to %(most_again)s emails.") % {"most_again": MOST_AGAIN}, nearest=nearest, clause=CLAUSE
        )
    return [describe_resent(resend_mails(user=user, count=wanted, now=talk.request.now), wanted)]


def describe_resent(sent: int, wanted: int) -> str:
    if not sent:
        return _(
            "We have no copies of emails to you. We store copies for 30 days, but not of emails with codes or links."
        )
    message = ngettext("We are sending %(count)s email again.", "We are sending %(count)s emails again.", sent) % {
        "count": sent
    }
    return (f"{message} " + _("We have no more than that.")) if sent < wanted else message


def resend_mails(*, user: User, count: int, now: datetime) -> int:
    """Queue the last `count` emails that went to the present address of `user`, oldest first; return how many."""
    address = address_for_notices(user)
    copies = list_stored_mails(user=user, address=address, limit=min(count, MOST_AGAIN)) if address else []
    zone = zone_of(user)
    for place, copy in enumerate(reversed(copies), start=1):
        mail = write_again(copy, place, len(copies), zone)
        queue_mail(mail, address=address or "", inbound=None, user=user, now=now)
    return len(copies)


def write_again(copy: Delivery, place: int, count: int, zone: ZoneInfo) -> Mail:
    """Return an email with a copy. It is not copied itself (`secret`), so that copies do not multiply."""
    assert copy.sent_at is not None
    parts = [
        (_("Sent to you on %(moment)s:") % {"moment": write_moment(copy.sent_at, zone)}) + f"\n\n  {copy.subject}",
        copy.text.rstrip(),
        _("To send orders, reply to the original email, or begin with a USER line."),
    ]
    subject = _("Copy of a Firetop Mountain email (%(place)s of %(count)s)") % {"place": place, "count": count}
    return Mail(
        subject=subject,
        text="\n\n".join(parts) + "\n",
        html=render_tables(heading=subject, parts=parts),
        automatic="auto-replied",
        secret=True,
    )
