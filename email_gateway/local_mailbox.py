"""A mail back end for a house without a mail server: mails land in rows and are read at /mailbox/."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from email_gateway.services.shelving import shelve_mail


class LocalMailboxBackend(BaseEmailBackend):
    """Django's interface. A mail sent twice with the same Message-ID is there once."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for mail in email_messages:
            message = mail.message()
            shelve_mail(message_id=str(message["Message-ID"]), raw=message.as_bytes())
        return len(email_messages)
