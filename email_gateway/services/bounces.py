"""Addresses that mail does not reach."""

from datetime import datetime
from email.message import Message

from allauth.account.models import EmailAddress
from django.db.models import F

from email_gateway.models import MailAddress
from email_gateway.reading.letters import make_storable, read_address

PERMANENT = 5


def note_failure(*, address: str, error: str, permanent: bool, now: datetime) -> None:
    """Count a mail that did not reach an address: five points when refused for good, else one."""
    row, _ = MailAddress.objects.get_or_create(address=address.lower())
    MailAddress.objects.filter(pk=row.pk).update(
        bounce_score=F("bounce_score") + (PERMANENT if permanent else 1), bounced_at=now, last_error=error[:200]
    )


def note_success(*, address: str) -> None:
    """Forget the failures of an address that took a mail."""
    MailAddress.objects.filter(address=address.lower(), bounce_score__gt=0).update(bounce_score=0, last_error="")


def note_bounce(*, message: Message, now: datetime) -> None:
    """Read a delivery report (RFC 3464) and count what it says about addresses that we have written to."""
    for part in message.walk():
        address = read_address(str(part.get("Final-Recipient", "")).rpartition(";")[2])
        known = EmailAddress.objects.filter(email__iexact=address).exists() if address else False
        if known and str(part.get("Action", "")).strip().lower() == "failed":
            status = make_storable(str(part.get("Status", "")))[:20]
            note_failure(address=address, error=f"bounced {status}", permanent=status.startswith("5"), now=now)
