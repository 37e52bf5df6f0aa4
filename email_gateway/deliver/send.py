"""Sending one email.

A crash between sending and saving sends the same email again, under the same Message-ID, so that mail systems and the
local mailbox know it for the same one.
"""

import smtplib
from datetime import datetime

from django.core.mail import EmailMessage

from email_gateway.addresses import make_bounce_address
from email_gateway.deliver.bounces import find_address, note_failure
from email_gateway.errors import Unsendable
from fm_site.operations.models import Heartbeat
from fm_site.operations.services import note_part_fails, note_part_works


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
