"""Following the battles of other users."""

import datetime

from accounts.models import User
from duels.models import Battle, Subscription


def follow_battle(*, battle: Battle, user: User, now: datetime.datetime) -> None:
    """Notify `user` of every turn of `battle` from now on. Following twice changes nothing."""
    Subscription.objects.get_or_create(battle=battle, user=user, defaults={"created_at": now})


def unfollow_battle(*, battle: Battle, user: User) -> bool:
    """Stop notifying `user` of `battle`; return whether they followed it."""
    return Subscription.objects.filter(battle=battle, user=user).delete()[0] > 0
