"""Authentication backends that read the user of a session by a prepared query.

A login hashes the password once, whether or not the name or address belongs to a user, so its duration reveals nothing.
Only an address that several users gave and nobody confirmed takes more than one hash.
"""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from django.contrib.auth.backends import ModelBackend
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from accounts.selectors.names import find_user
from operations.database.prepared_query import PreparedQuery

# The backend of a login without a password, such as a new guest's.
BY_NAME = "accounts.backends.ByName"


@PreparedQuery
def _read_user(pk: int) -> QuerySet[User]:
    return User.objects.filter(pk=pk)


class ByName(ModelBackend):
    """Keeps users logged in whose sessions it started. `ByNameOrAddress` checks passwords."""

    def authenticate(self, *args: Any, **credentials: Any) -> None:
        return None

    def get_user(self, user_id: Any) -> User | None:
        """Return the user, if they may log in."""
        user = next(iter(_read_user(pk=int(user_id))), None)
        return user if user is not None and self.user_can_authenticate(user) else None


class ByNameOrAddress(AuthenticationBackend, ByName):  # type: ignore[misc]  # allauth has no types
    """Logs users in by name or address, and by the other methods of allauth."""

    get_user = ByName.get_user

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        written = credentials.get("username") or credentials.get("email") or ""
        named = find_user(written)
        users = [named] if named else filter_users_by_email(written, prefer_verified=True, for_login=True)
        checked = (self._check_password(user, credentials["password"]) for user in users)
        return next((user for user in checked if user is not None), None)
