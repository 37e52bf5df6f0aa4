"""Pruning of emails: their texts after a month, their rows along with notices."""

from datetime import datetime, timedelta

from email_gateway.models import InboundMail
from fm_site.notifications.services.deliveries import forget_copies
from fm_site.operations.selectors import read_policy

KEPT = timedelta(days=30)
# States in which an email needs no attention.
TAKEN = (InboundMail.State.PROCESSED, InboundMail.State.AUTOMATIC, InboundMail.State.COPY)


def prune_copies(*, now: datetime) -> int:
    """Empty the copies of emails older than 30 days; return how many. The rows stay until `prune_mails`: they prevent
    emails from being processed twice."""
    InboundMail.objects.filter(
        received_at__lt=now - KEPT, state=InboundMail.State.AUTOMATIC, sealed__isnull=False
    ).update(sealed=None)
    old = InboundMail.objects.filter(received_at__lt=now - KEPT).exclude(scrubbed="").update(scrubbed="")
    return old + forget_copies(now=now)


def prune_mails(*, now: datetime, limit: int = 500) -> int:
    """Delete received emails that are older than the policy allows for notices, oldest first; return how many. Those
    that wait, or need a janitor, stay."""
    kept_from = now - timedelta(days=read_policy().notice_keep_days)
    came = InboundMail.objects.filter(received_at__lt=kept_from, state__in=TAKEN).order_by("received_at")
    taken = list(came.values_list("pk", flat=True)[:limit])
    InboundMail.objects.filter(pk__in=taken).delete()
    return len(taken)
