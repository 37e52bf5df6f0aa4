"""Who competes: their browsers may keep an ID, if they agree."""

from accounts.models import User
from operations.registry import COMPETITIONS, list_functions


def competes(user: User) -> bool:
    """Return whether `user` is on the ladder, in the league or in a cup."""
    return any(is_in(user) for is_in in list_functions(COMPETITIONS))


def may_know_browsers(user: User) -> bool:
    """Return whether the browsers of `user` may keep an ID: they compete, and have agreed."""
    return bool(user.browser_id_allowed) and competes(user)
