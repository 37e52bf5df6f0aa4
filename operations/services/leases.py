"""Roles that only one process has at a time, by the database's clock."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from operations.models import Lease


def take_lease(*, name: str, holder: str, length: timedelta) -> bool:
    """Take or renew the role `name` for `length` from now; return whether `holder` has it. Fails while another
    holder's lease lasts."""
    free = Q(holder=holder) | Q(until__lt=Now())
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
    """Give up the role, so that another process need not wait; return whether `holder` had it."""
    held = Lease.objects.filter(name=name, holder=holder, until__gt=Now())
    return held.update(until=F("until") - timedelta(days=1)) == 1
