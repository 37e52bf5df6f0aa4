"""The colours a user wants."""

from accounts.models import User


def set_theme(*, user: User, theme: str) -> None:
    """Save `user`'s theme. Raises ValueError for an unknown theme."""
    user.theme = User.Theme(theme).value
    user.save(update_fields=["theme"])
