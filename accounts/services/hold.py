"""Acknowledging warnings, and marking users who have a warning or suspension."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import AccountWarning, Sanction, User


def acknowledge_warnings(*, user: User, now: datetime, shown: Collection[int] | None = None) -> int:
    """Record that `user` has read their warnings, or only those with these ids: another may have been given since they
    were shown. Return how many there were."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        waiting = AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None)
        waiting = waiting if shown is None else waiting.filter(pk__in=shown)
        read = waiting.update(acknowledged_at=now)
        mark_held(user=user)
    return read


def mark_held(*, user: User) -> None:
    """Set `user.is_held`, which every entry point checks, to whether a warning or suspension applies."""
    held = (
        AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None).exists()
        or Sanction.objects.open().filter(user=user).exists()
    )
    User.objects.filter(pk=user.pk).update(is_held=held)
    user.is_held = held
