"""Two users who have nothing to do with each other, and a duel."""

import pytest

from accounts.models import User
from accounts.services.users import create_user
from tests.scenes import NOW

PASSWORD = "dfw-psw-swd"


@pytest.fixture
def anna(db: None) -> User:
    return create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)


@pytest.fixture
def boris(db: None) -> User:
    return create_user(name="Boris", email="boris@example.org", now=NOW)


@pytest.fixture
def anna_with_password(anna: User) -> User:
    """Anna with a password. Hashing takes a fifth of a second, so use this only if needed."""
    anna.set_password(PASSWORD)
    anna.save()
    return anna
