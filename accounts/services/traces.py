"""Storing and deleting traces of where users connect from, and whether their browsers may keep an ID."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

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


def answer_browser_id(*, user: User, is_allowed: bool, now: datetime) -> None:
    """Store whether the browsers of `user` may keep an ID. Without their consent, the devices known of them are
    deleted."""
    with transaction.atomic():
        user.browser_id_allowed, user.browser_id_answered_at = is_allowed, now
        user.save(update_fields=["browser_id_allowed", "browser_id_answered_at"])
        if not is_allowed:
            Trace.objects.filter(user=user, kind=Trace.Kind.DEVICE).delete()


def forget_traces(*, now: datetime) -> int:
    """Delete the traces that are older than 30 days, and devices recorded without consent; return how many."""
    old = Q(last_on__lt=(now - KEPT).date())
    without_consent = Q(kind=Trace.Kind.DEVICE) & ~Q(user__browser_id_allowed=True)
    return Trace.objects.filter(old | without_consent).delete()[0]
