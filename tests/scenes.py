"""What tests of several apps begin with: noon of one day, users, mages, and browsers in which they are logged in."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from accounts.models import Mage, User
from accounts.services.mages import register_mage
from accounts.services.users import create_user

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def make_user(name: str) -> User:
    return create_user(name=name, now=NOW)


def make_mage(name: str, user: User | str | None = None) -> Mage:
    """Return a new mage of `user`, or of a new user with that name, or of one named after the mage."""
    owner = user if isinstance(user, User) else make_user(user or f"{name}_user")
    return register_mage(user=owner, name=name, now=NOW)


def log_in(user: User | None, **more: Any) -> Client:
    """Return a browser in which `user` is logged in, as their row is now; without a user, nobody is. `more` is part of
    each of its requests."""
    client = Client(**more)
    if user is not None:
        client.force_login(User.objects.get(pk=user.pk))
    return client
