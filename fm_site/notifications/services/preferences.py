"""What users want."""

from django.contrib.auth.base_user import AbstractBaseUser

from fm_site.notifications.models import Preference
from fm_site.notifications.preferences import PREFERENCES


def set_preference(*, user: AbstractBaseUser, key: str, value: str) -> None:
    """Store the choice of `user`. Raises ValueError for a key or value that does not exist."""
    if key not in PREFERENCES or value not in dict(PREFERENCES[key].values):
        raise ValueError(f"There is no preference {key}={value}.")
    Preference.objects.update_or_create(user_id=user.pk, key=key, defaults={"value": value})
