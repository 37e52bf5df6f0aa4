"""Saving users' preferences."""

from collections.abc import Mapping

from django.contrib.auth.base_user import AbstractBaseUser

from notifications.chosen_preferences import forget_choices
from notifications.models import Preference
from notifications.preferences import PREFERENCES
from notifications.selectors.notices import preferences_of


def set_preference(*, user: AbstractBaseUser, key: str, value: str) -> None:
    """Save `user`'s choice. Raises ValueError for an unknown key or value."""
    if key not in PREFERENCES or value not in dict(PREFERENCES[key].values):
        raise ValueError(f"There is no preference {key}={value}.")
    forget_choices(user)
    Preference.objects.update_or_create(user_id=user.pk, key=key, defaults={"value": value})


def choose_notices(*, user: AbstractBaseUser, wanted: Mapping[str, str]) -> None:
    """Save what the user is told, and where: `wanted` are choices of the matrix (notifications.matrix) and of when.

    Only what changes is saved, but a choice that is like another one (`like`) always: it would change with that one.
    Raises ValueError for an unknown key or value.
    """
    chosen = preferences_of(user)
    for key, value in wanted.items():
        if value != chosen.get(key) or PREFERENCES[key].like:
            set_preference(user=user, key=key, value=value)
