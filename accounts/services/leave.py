"""Retiring and removing mages, and closing accounts."""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.errors import MageBusy, MageDead, StillHasMages
from accounts.models import ApiToken, Engagement, Mage, User
from fm_site.notifications.models import Preference


def retire_free_mage(*, mage: Mage, now: datetime) -> None:
    """Retire a free mage until they challenge or accept; does nothing if they are retired. Raises MageBusy,
    MageDead."""
    with transaction.atomic():
        _hold_free(mage)
        Mage.objects.filter(pk=mage.pk, retired_at=None).update(retired_at=now)
    mage.refresh_from_db(fields=["retired_at"])


def remove_free_mage(*, mage: Mage, now: datetime) -> None:
    """Remove a free mage for good: they count as dead from then on. Raises MageBusy, MageDead."""
    with transaction.atomic():
        _hold_free(mage)
        Mage.objects.filter(pk=mage.pk).update(died_at=now)
    mage.refresh_from_db(fields=["died_at"])


def _hold_free(mage: Mage) -> None:
    """Lock a mage, as giving them a seat does first, and check that they are alive and free."""
    held = Mage.objects.select_for_update(of=("self",)).get(pk=mage.pk)
    if not held.is_alive:
        raise MageDead(mage.name)
    engagement = Engagement.objects.filter(mage=mage).first()
    if engagement is not None:
        raise MageBusy(mage.name, engagement.kind, engagement.number)


def close_user(*, user: User, now: datetime) -> None:
    """Close the account of `user`, who has no living mage (FM-ORDUSR-15): they can no longer log in, and their address
    is free for a new user. Their name stays reserved. Raises StillHasMages."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        living = list(Mage.objects.filter(user=user, died_at=None).values_list("name", flat=True))
        if living:
            raise StillHasMages(living)
        EmailAddress.objects.filter(user=user).delete()
        ApiToken.objects.filter(user=user).delete()
        Preference.objects.filter(user=user).delete()
        user.is_active, user.email, user.mail_password, user.last_active_at = False, "", "", now
        user.set_unusable_password()
        user.save(update_fields=["is_active", "email", "mail_password", "password", "last_active_at"])
