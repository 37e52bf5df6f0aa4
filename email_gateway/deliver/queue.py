"""Queue the gateway's own emails."""

from datetime import datetime

from accounts.models import User
from email_gateway.deliver.mail import Mail
from email_gateway.models import InboundMail
from fm_site.notifications.models import Delivery
from fm_site.notifications.services import queue_delivery


def queue_mail(mail: Mail, *, address: str, inbound: InboundMail | None, user: User | None, now: datetime) -> Delivery:
    """Queue the only answer to `inbound`, to be sent soon."""
    row = queue_delivery(mail=mail.to_json(), subject=mail.subject, address=address, user=user, now=now)
    if inbound is not None:
        InboundMail.objects.filter(pk=inbound.pk).update(answer=row)
    return row
