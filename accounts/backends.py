"""Logging in by name or address, and users who are logged in without a password.

A login hashes the password once, whether or not the name or address belongs to a user, so its duration reveals nothing.
Only an address that several users gave and nobody confirmed takes more than one hash.
"""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from accounts.selectors.names import find_user

# The backend of a login without a password, such as a new guest's.
BY_NAME = "accounts.backends.ByName"


class ByName(ModelBackend):
    """Keeps users logged in whose sessions it started. `ByNameOrAddress` checks passwords."""

    def authenticate(self, *args: Any, **credentials: Any) -> None:
        return None


class ByNameOrAddress(AuthenticationBackend, ByName):  # type: ignore[misc]  # allauth has no types
    """Logs users in by name or address, and by the other methods of allauth."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        written = credentials.get("username") or credentials.get("email") or ""
        named = find_user(written)
        users = [named] if named else filter_users_by_email(written, prefer_verified=True, for_login=True)
        checked = (self._check_password(user, credentials["password"]) for user in users)
        return next((user for user in checked if user is not None), None)
