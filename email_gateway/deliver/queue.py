"""Queue the gateway's own emails."""

import secrets
from datetime import datetime

from django.conf import settings

from accounts.models import User
from email_gateway.deliver.mail import Mail
from email_gateway.models import InboundMail, OutboundMail
from fm_site.operations.sealing import seal_bytes


def queue_mail(
    mail: Mail, *, address: str, inbound: InboundMail | None, user: User | None, now: datetime
) -> OutboundMail:
    """Queue an email to be sent soon, encrypted until then."""
    return OutboundMail.objects.create(
        message_id=f"<{secrets.token_hex(16)}@{settings.FM_MAIL_DOMAIN}>",
        inbound=inbound,
        user=user,
        address=address.lower(),
        subject=mail.subject[:200],
        sealed=seal_bytes(mail.to_json().encode()),
        secret=mail.secret,
        created_at=now,
        due_at=now,
    )
