"""Storing and deleting traces of where users connect from."""

from datetime import datetime, timedelta

from accounts.models import Trace, User
from accounts.trace_hash import hash_trace
from operations.web.client_address import network_of

KEPT = timedelta(days=30)


def record_traces(*, user: User, address: str, device: str, now: datetime) -> None:
    """Record that `user` was at this address, in its network, and on this device (blank: none), as keyed hashes.

    Nobody can reverse them without the site's key, and with it only by trying every address.
    """
    seen = (
        (Trace.Kind.ADDRESS, address),
        (Trace.Kind.NETWORK, network_of(address)),
        (Trace.Kind.DEVICE, device),
    )
    Trace.objects.bulk_create(
        [
            Trace(user=user, kind=kind, digest=hash_trace(kind, value), last_on=now.date())
            for kind, value in seen
            if value
        ],
        update_conflicts=True,
        unique_fields=["user", "kind", "digest"],
        update_fields=["last_on"],
    )


def forget_traces(*, now: datetime) -> int:
    """Delete the traces that are older than 30 days; return how many."""
    return Trace.objects.filter(last_on__lt=(now - KEPT).date()).delete()[0]
