"""An email back end for a site without a mail server: emails are stored and shown at /mailbox/."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from email_gateway.models import LocalMail
from operations.encryption import seal_bytes

MOST_KEPT = 2000


class LocalMailboxBackend(BaseEmailBackend):
    """Django's interface. An email sent twice with the same Message-ID is stored once."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for mail in email_messages:
            message = mail.message()
            store_local_mail(message_id=str(message["Message-ID"]), raw=message.as_bytes())
        return len(email_messages)


def store_local_mail(*, message_id: str, raw: bytes) -> LocalMail:
    """Store an email that was sent without a mail server, encrypted; the same Message-ID twice is one email.

    If there are more than 2,000, the oldest are deleted.
    """
    mail, _ = LocalMail.objects.update_or_create(message_id=message_id, defaults={"sealed": seal_bytes(raw)})
    newest = LocalMail.objects.order_by("-pk").values_list("pk", flat=True)
    last = newest[MOST_KEPT : MOST_KEPT + 1].first()
    if last is not None:
        LocalMail.objects.filter(pk__lte=last).delete()
    return mail
