"""How long copies of mail are kept."""

from datetime import datetime, timedelta

from email_gateway.models import InboundMail, OutboundMail, SentCopy

KEPT = timedelta(days=30)


def prune_copies(*, now: datetime) -> int:
    """Empty the copies of mails older than 30 days; return how many. The rows stay: they know what was obeyed."""
    InboundMail.objects.filter(
        received_at__lt=now - KEPT, state=InboundMail.State.AUTOMATIC, sealed__isnull=False
    ).update(sealed=None)
    old = InboundMail.objects.filter(received_at__lt=now - KEPT).exclude(scrubbed="").update(scrubbed="")
    SentCopy.objects.filter(sent_at__lt=now - KEPT).delete()
    return old + OutboundMail.objects.filter(created_at__lt=now - KEPT).exclude(text="").update(text="")
