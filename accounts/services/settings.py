"""What users want."""

from accounts.models import Preference, User
from accounts.preferences import PREFERENCES


def set_preference(*, user: User, key: str, value: str) -> None:
    """Store the choice of `user`. Raises ValueError for a key or value that does not exist."""
    if key not in PREFERENCES or value not in dict(PREFERENCES[key].values):
        raise ValueError(f"There is no preference {key}={value}.")
    Preference.objects.update_or_create(user=user, key=key, defaults={"value": value})


def set_theme(*, user: User, theme: str) -> None:
    """Store the colours `user` wants. Raises ValueError for a theme that does not exist."""
    user.theme = User.Theme(theme).value
    user.save(update_fields=["theme"])
