"""Closing the coach of the first duel."""

from accounts.models import User
from notifications.services.preferences import set_preference


def close_coach(*, user: User) -> None:
    """Show this user no coach any more. Safe to call twice."""
    set_preference(user=user, key="coach", value="no")
