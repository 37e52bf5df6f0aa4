"""Defines who is a janitor. Janitors read and act; read-only janitors read the desk, the lists and the logs.

A janitor has `is_staff` and is in one of the two groups; a superuser counts as being in both.
"""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User

JANITORS = "Janitors"
READ_ONLY_JANITORS = "Read-only janitors"


def is_janitor(user: User | AnonymousUser | None) -> bool:
    return JANITORS in _groups_of(user)


def is_reading_janitor(user: User | AnonymousUser | None) -> bool:
    """Return whether `user` may read what janitors read; janitors who act may too."""
    return bool(_groups_of(user))


def _groups_of(user: User | AnonymousUser | None) -> frozenset[str]:
    if user is None or not user.is_authenticated or not user.is_active or not user.is_staff:
        return frozenset()
    if user.is_superuser:
        return frozenset({JANITORS, READ_ONLY_JANITORS})
    groups: frozenset[str] | None = getattr(user, "_janitor_groups", None)
    if groups is None:
        # The admin's front page asks this for every table, so cache the answer for the request.
        names = user.groups.filter(name__in=[JANITORS, READ_ONLY_JANITORS]).values_list("name", flat=True)
        groups = frozenset(names)
        user._janitor_groups = groups  # type: ignore[attr-defined]
    return groups
