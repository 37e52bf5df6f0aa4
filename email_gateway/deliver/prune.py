"""How long mail is kept: what it said for a month, that it came or went as long as what users were told."""

from datetime import datetime, timedelta

from email_gateway.models import InboundMail, OutboundMail, SentCopy
from fm_site.operations.selectors import read_policy

KEPT = timedelta(days=30)
# What needs nobody any more.
TAKEN = (InboundMail.State.PROCESSED, InboundMail.State.AUTOMATIC, InboundMail.State.COPY)
GONE = (OutboundMail.State.SENT, OutboundMail.State.FAILED)


def prune_copies(*, now: datetime) -> int:
    """Empty the copies of mails older than 30 days; return how many. The rows stay until `prune_mails`: they
    keep anything from being processed twice."""
    InboundMail.objects.filter(
        received_at__lt=now - KEPT, state=InboundMail.State.AUTOMATIC, sealed__isnull=False
    ).update(sealed=None)
    old = InboundMail.objects.filter(received_at__lt=now - KEPT).exclude(scrubbed="").update(scrubbed="")
    SentCopy.objects.filter(sent_at__lt=now - KEPT).delete()
    return old + OutboundMail.objects.filter(created_at__lt=now - KEPT).exclude(text="").update(text="")


def prune_mails(*, now: datetime, limit: int = 500) -> int:
    """Delete the oldest rows of mails that came and went, once they are older than the policy keeps what users were
    told; return how many. What still waits for its way, or for a janitor, stays."""
    kept_from = now - timedelta(days=read_policy().notice_keep_days)
    came = InboundMail.objects.filter(received_at__lt=kept_from, state__in=TAKEN).order_by("received_at")
    went = OutboundMail.objects.order_by("pk").values_list("pk", "created_at", "state")[:limit]
    old = [pk for pk, created_at, state in went if created_at < kept_from and state in GONE]
    OutboundMail.objects.filter(pk__in=old).delete()
    taken = list(came.values_list("pk", flat=True)[:limit])
    InboundMail.objects.filter(pk__in=taken).delete()
    return max(len(old), len(taken))
