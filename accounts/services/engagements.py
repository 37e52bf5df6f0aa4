"""What a mage is in: at most one challenge or battle, which the unique row decides."""

from django.db import transaction

from accounts.errors import MageBusy, MageDead
from accounts.models import Engagement, Mage


def engage_mage(*, mage: Mage, kind: str, number: int) -> Engagement:
    """Put `mage` into the challenge or battle (`kind`) `number`; does nothing when he is in it already.

    Raises MageBusy when he is in another, MageDead. Call inside the transaction of what he joins.
    """
    with transaction.atomic(savepoint=False):
        # Held to the end of the transaction, so that he does not rest or leave meanwhile (accounts.services.leaving).
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
    """Let `mage` out of `kind` `number`; say whether he was in it."""
    deleted, _ = Engagement.objects.filter(mage=mage, kind=kind, number=number).delete()
    return deleted == 1


def move_engagement(*, mage: Mage, from_kind: str, from_number: int, kind: str, number: int) -> None:
    """Move `mage` from a challenge to the battle that it became, leaving him free for no moment.

    Raises MageBusy when he is in something else by now; a mage who was free is engaged.
    """
    found = Engagement.objects.filter(mage=mage, kind=from_kind, number=from_number)
    if not found.update(kind=kind, number=number):
        engage_mage(mage=mage, kind=kind, number=number)
