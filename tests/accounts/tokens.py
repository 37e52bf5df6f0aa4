"""Whose token a text is, for tests."""

from datetime import datetime

from accounts.models import User
from accounts.services.tokens import find_api_token


def get_user_for_token(*, text: str, now: datetime) -> User | None:
    """Return the user whose token this is, or None."""
    token = find_api_token(text=text, now=now)
    return token.user if token else None
