"""Whether a notice to a device or program still matters when its turn comes; emails find out as they are composed."""

from collections.abc import Callable, Mapping
from typing import Any

from notifications.models import Notice

# The user is the one that the notice is for.
IsSettled = Callable[[Mapping[str, Any], Any], bool]
CHECKS: dict[str, IsSettled] = {}


def settles(kind: str) -> Callable[[IsSettled], IsSettled]:
    """Register the function that tells from a notice's facts and its user whether a notice of this kind no longer
    matters."""

    def register(check: IsSettled) -> IsSettled:
        CHECKS[kind] = check
        return check

    return register


def is_settled(notice: Notice) -> bool:
    """Return whether the notice no longer matters; False for a kind that nothing settles."""
    check = CHECKS.get(notice.kind)
    return check is not None and check(notice.facts, notice.user)
