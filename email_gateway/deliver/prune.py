"""Pruning of emails: their texts after a month, their rows along with notices, and then the addresses."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q

from email_gateway.deliver.bounces import FORGOTTEN_AFTER
from email_gateway.models import AccountChangeRequest, InboundMail, MailAddress, NewUserRequest
from notifications.models import Delivery
from notifications.services.deliveries import forget_copies
from operations.selectors import read_policy

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


def prune_addresses(*, now: datetime) -> int:
    """Delete the addresses that belong to no account once the record of the last email to them is deleted, and requests
    by email that are older than copies; return how many rows. Recent bounces stay, so that they are counted."""
    old = now - KEPT
    requests = (
        NewUserRequest.objects.filter(created_at__lt=old),
        AccountChangeRequest.objects.filter(created_at__lt=old),
    )
    count = sum(rows.delete()[0] for rows in requests)
    of_account = EmailAddress.objects.filter(email__iexact=OuterRef("address"))
    written_to = Delivery.objects.filter(address=OuterRef("address"))
    no_bounce = Q(bounced_at=None) | Q(bounced_at__lt=now - FORGOTTEN_AFTER)
    unused = MailAddress.objects.filter(no_bounce, ~Exists(of_account), ~Exists(written_to), stopped_at=None)
    return count + unused.delete()[0]
