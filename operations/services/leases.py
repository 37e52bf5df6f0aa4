"""Roles that only one process has at a time, by the database's clock."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from operations.models import Lease


def take_lease(*, name: str, holder: str, length: timedelta, waits: bool = True) -> bool:
    """Take or renew the role `name` for `length` from now; return whether `holder` has it. Fails while another
    holder's lease lasts, unless it `waits` for none."""
    free = Q(holder=holder) | Q(until__lt=Now()) if waits else Q()
    held = Lease.objects.filter(free, name=name).update(holder=holder, until=Now() + length)
    if held:
        return True
    if Lease.objects.filter(name=name).exists():
        return False
    try:
        with transaction.atomic():
            Lease.objects.create(name=name, holder=holder, until=Now() + length)
    except IntegrityError:  # another process was quicker
        return False
    return True


def give_up_lease(*, name: str, holder: str) -> bool:
    """End the lease now, so that another process need not wait; return whether `holder` had it."""
    held = Lease.objects.filter(name=name, holder=holder, until__gt=Now())
    return held.update(until=Now() - timedelta(seconds=1)) == 1
