"""Django's ways to log in, which read the user of a session by a query written once.

A login takes one hash of the password, whether or not its name or address belongs to a user: time must not tell. Only
an address that several users gave and nobody confirmed takes more.
"""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from django.contrib.auth.backends import ModelBackend
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from accounts.selectors.names import find_user
from fm_site.operations.database.prepared_query import PreparedQuery


@PreparedQuery
def _read_user(pk: int) -> QuerySet[User]:
    return User.objects.filter(pk=pk)


class ByName(ModelBackend):
    """Keeps its users logged in. Passwords are checked by the other one."""

    def authenticate(self, *args: Any, **credentials: Any) -> None:
        return None

    def get_user(self, user_id: Any) -> User | None:
        """Return the user, if they may log in."""
        user = next(iter(_read_user(pk=int(user_id))), None)
        return user if user is not None and self.user_can_authenticate(user) else None


class ByNameOrAddress(AuthenticationBackend, ByName):  # type: ignore[misc]  # allauth has no types
    """By name or address, and by whatever else allauth knows."""

    get_user = ByName.get_user

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        written = credentials.get("username") or credentials.get("email") or ""
        named = find_user(written)
        users = [named] if named else filter_users_by_email(written, prefer_verified=True, for_login=True)
        checked = (self._check_password(user, credentials["password"]) for user in users)
        return next((user for user in checked if user is not None), None)
