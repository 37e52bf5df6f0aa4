"""Saving users' preferences."""

from django.contrib.auth.base_user import AbstractBaseUser

from notifications.chosen_preferences import forget_choices
from notifications.models import Preference
from notifications.preferences import PREFERENCES


def set_preference(*, user: AbstractBaseUser, key: str, value: str) -> None:
    """Save `user`'s choice. Raises ValueError for an unknown key or value."""
    if key not in PREFERENCES or value not in dict(PREFERENCES[key].values):
        raise ValueError(f"There is no preference {key}={value}.")
    forget_choices(user)
    Preference.objects.update_or_create(user_id=user.pk, key=key, defaults={"value": value})
