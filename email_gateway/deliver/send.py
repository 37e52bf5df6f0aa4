"""Sending one email, and the answers that are due.

A crash between sending and saving sends the same email again, under the same Message-ID, so that mail systems and the
local mailbox know it for the same one.
"""

import smtplib
from datetime import datetime, timedelta

import structlog
from django.core.mail import EmailMessage
from django.db.models import F

from email_gateway.addresses import make_bounce_address
from email_gateway.deliver.bounces import find_address, note_failure
from email_gateway.deliver.mail import Mail, make_message
from email_gateway.errors import Unsendable
from email_gateway.models import OutboundMail, SentCopy
from email_gateway.text.webtext import read_web_text
from fm_site.notifications.models import Delivery
from fm_site.operations.models import Heartbeat
from fm_site.operations.sealing import InvalidToken, unseal_bytes
from fm_site.operations.services import note_part_fails, note_part_works

log = structlog.get_logger(__name__)
LEASE = timedelta(minutes=2)
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 240, 720))
WAITING = (OutboundMail.State.DUE, OutboundMail.State.CLAIMED)


def keep_copy(delivery: Delivery, mail: Mail, address: str, now: datetime) -> None:
    """Keep what was said, for RESEND; never of a mail that holds a code or link."""
    if not mail.secret:
        SentCopy.objects.get_or_create(
            message_id=delivery.message_id,
            defaults={
                "user": delivery.notice.user,
                "address": address.lower(),
                "subject": mail.subject[:200],
                "text": mail.text,
                "web_text": read_web_text(mail.html),
                "sent_at": now,
            },
        )


def send_answer(*, mail_id: int, now: datetime) -> bool:
    """Claim and send one answer; say whether it was there to be claimed."""
    claimed = OutboundMail.objects.filter(pk=mail_id, state__in=WAITING, due_at__lte=now).update(
        state=OutboundMail.State.CLAIMED, due_at=now + LEASE, attempts=F("attempts") + 1
    )
    if not claimed:
        return False
    row = OutboundMail.objects.get(pk=mail_id)
    try:
        mail = Mail.from_json(unseal_bytes(bytes(row.sealed or b"")).decode())
        send_message(make_message(mail, to=row.address, message_id=row.message_id), row.address, now)
    except (Unsendable, InvalidToken) as error:
        end_answer(row, OutboundMail.State.FAILED, error=str(error) or type(error).__name__)
    except Exception as error:  # as in send_delivery
        log.error("answer not sent", mail=row.pk, error=type(error).__name__)
        put_off_answer(row, type(error).__name__, now)
    else:
        text, web_text = ("", "") if row.secret else (mail.text, read_web_text(mail.html))
        end_answer(row, OutboundMail.State.SENT, text=text, web_text=web_text, sent_at=now)
    return True


def send_message(message: EmailMessage, address: str, now: datetime) -> None:
    """Hand one mail to the back end and count how the address takes it. Raises Unsendable when refused for good."""
    message.from_email = make_bounce_address(address_id=find_address(address).pk)
    try:
        message.send()
        note_part_works(part=Heartbeat.Part.MAIL_OUT, now=now)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        permanent = bool(codes) and all(code >= 500 for code in codes)
        note_failure(address=address, error=f"refused {codes[:1]}", permanent=permanent, now=now)
        if permanent:
            raise Unsendable(f"refused by its server: {codes[0]}") from error
        raise
    except OSError as error:
        # The server is away, or takes nothing from us; that it does not like one mail says nothing of the others.
        if not isinstance(error, smtplib.SMTPDataError):
            note_part_fails(part=Heartbeat.Part.MAIL_OUT, now=now)
        raise


def put_off_answer(row: OutboundMail, error: str, now: datetime) -> None:
    if row.attempts > len(BACKOFF):
        end_answer(row, OutboundMail.State.FAILED, error=error)
        return
    OutboundMail.objects.filter(pk=row.pk, state=OutboundMail.State.CLAIMED, attempts=row.attempts).update(
        state=OutboundMail.State.DUE, due_at=now + BACKOFF[row.attempts - 1], error=error[:200]
    )


def end_answer(
    row: OutboundMail,
    state: OutboundMail.State,
    *,
    error: str = "",
    text: str = "",
    web_text: str = "",
    sent_at: datetime | None = None,
) -> None:
    OutboundMail.objects.filter(pk=row.pk).exclude(state=OutboundMail.State.SENT).update(
        state=state, sealed=None, error=error[:200], text=text, web_text=web_text, sent_at=sent_at
    )
