"""Engagements: a mage is in at most one challenge or battle, enforced by the unique row."""

from django.db import transaction

from accounts.errors import MageBusy, MageDead
from accounts.models import Engagement, Mage


def engage_mage(*, mage: Mage, kind: str, number: int) -> Engagement:
    """Put `mage` into the challenge or battle (`kind`) `number`; does nothing if they are already in it.

    Raises MageBusy if they are in another one, or MageDead. Call it inside the transaction that joins them.
    """
    with transaction.atomic(savepoint=False):
        # Locked to the end of the transaction, so that they cannot retire or leave meanwhile
        # (accounts.services.leave).
        alive = Mage.objects.select_for_update(of=("self",)).get(pk=mage.pk).is_alive
        if alive:
            wanted = Engagement(mage=mage, kind=kind, number=number)
            Engagement.objects.bulk_create([wanted], ignore_conflicts=True)
            engagement = Engagement.objects.get(mage=mage)
    if not alive:
        raise MageDead(mage.name)
    if (engagement.kind, engagement.number) != (kind, number):
        raise MageBusy(mage.name, engagement.kind, engagement.number)
    return engagement


def release_mage(*, mage: Mage, kind: str, number: int) -> bool:
    """Release `mage` from `kind` `number`; return whether they were in it."""
    deleted, _ = Engagement.objects.filter(mage=mage, kind=kind, number=number).delete()
    return deleted == 1


def move_engagement(*, mage: Mage, number: int) -> None:
    """Move `mage` from the challenge `number` to the battle it became, without ever leaving them free in between.

    Raises MageBusy if they have joined something else meanwhile; a free mage is engaged.
    """
    found = Engagement.objects.filter(mage=mage, kind=Engagement.Kind.CHALLENGE, number=number)
    if not found.update(kind=Engagement.Kind.BATTLE):
        engage_mage(mage=mage, kind=Engagement.Kind.BATTLE, number=number)
