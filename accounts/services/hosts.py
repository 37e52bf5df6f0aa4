"""Becoming a host: the user's own offer to play newcomers, and a janitor's mark. Either may end it."""

from datetime import datetime

from accounts.errors import AccountRefused
from accounts.models import Host, User


def offer_to_host(*, user: User, now: datetime) -> bool:
    """Note that the user offers to play newcomers; return whether that is new. Raises AccountRefused for guests and
    bots."""
    if user.is_guest or user.is_bot:
        raise AccountRefused("cannot_host")
    Host.objects.get_or_create(user=user)
    return Host.objects.filter(user=user, offered_at=None).update(offered_at=now) == 1


def stop_hosting(*, user: User) -> bool:
    """End the user's offer; return whether there was one. A janitor's mark stays, for when they offer it again."""
    return Host.objects.filter(user=user, offered_at__isnull=False).update(offered_at=None) == 1


def mark_host(*, user: User, now: datetime) -> bool:
    """Mark the user, who offers it, as a host; return whether that is new."""
    return Host.objects.filter(user=user, offered_at__isnull=False, marked_at=None).update(marked_at=now) == 1


def unmark_host(*, user: User) -> bool:
    """Take the mark away; return whether there was one."""
    return Host.objects.filter(user=user, marked_at__isnull=False).update(marked_at=None) == 1


def claim_host(*, host: Host, now: datetime) -> bool:
    """Note that a newcomer asks this host now; return False if another one was quicker."""
    return Host.objects.filter(pk=host.pk, asked_at=host.asked_at).update(asked_at=now) == 1
