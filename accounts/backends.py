"""Django's ways to log in, which read the user of a session by a query written once."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.backends import ModelBackend
from django.db.models import QuerySet

from accounts.models import User
from fm_site.operations.database.prepared_query import PreparedQuery


@PreparedQuery
def _read_user(pk: int) -> QuerySet[User]:
    return User.objects.filter(pk=pk)


class ByName(ModelBackend):
    """By name and password."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the user, if they may log in."""
        user = next(iter(_read_user(pk=int(user_id))), None)
        return user if user is not None and self.user_can_authenticate(user) else None


class ByNameOrAddress(AuthenticationBackend, ByName):  # type: ignore[misc]  # allauth has no types
    """By name or address, and by whatever else allauth knows."""

    get_user = ByName.get_user
