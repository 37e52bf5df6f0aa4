"""Keeping a guest's mage: the guest becomes a user, and their battles and links stay."""

import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.services.keep_guest import turn_guest_into_user
from duels.services.rename_mage import rename_in_battles


def keep_guest(*, user: User, now: datetime.datetime, **details: Any) -> None:
    """Turn the guest `user` into a user with these `details` (accounts' turn_guest_into_user, which says what they are
    and what is raised). Their mage, and every battle it is or was in, continue under its new name."""
    with transaction.atomic():
        old, new = turn_guest_into_user(user=user, now=now, **details)
        if new != old:
            rename_in_battles(user.mages.get(name=new), old)
