"""Storing and deleting traces of where users connect from."""

from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from accounts.models import Trace, User

KEPT = timedelta(days=30)
SALT = "accounts.traces"


def note_traces(*, user: User, address: str, device: str, now: datetime) -> None:
    """Record that `user` was at this address and on this device (blank: none), as keyed hashes. Nobody can reverse them
    without the site's key, and with it only by trying every address."""
    for kind, value in ((Trace.Kind.ADDRESS, address), (Trace.Kind.DEVICE, device)):
        if value:
            digest = salted_hmac(SALT, f"{kind}:{value}", algorithm="sha256").hexdigest()
            Trace.objects.update_or_create(user=user, kind=kind, digest=digest, defaults={"last_on": now.date()})


def forget_traces(*, now: datetime) -> int:
    """Delete the traces that are older than 30 days; return how many."""
    return Trace.objects.filter(last_on__lt=(now - KEPT).date()).delete()[0]
