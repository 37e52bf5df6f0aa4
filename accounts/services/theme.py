"""The colours a user wants."""

from accounts.models import User


def set_theme(*, user: User, theme: str) -> None:
    """Store the colours `user` wants. Raises ValueError for a theme that does not exist."""
    user.theme = User.Theme(theme).value
    user.save(update_fields=["theme"])
