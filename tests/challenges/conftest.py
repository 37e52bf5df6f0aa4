"""Mages for challenges, each with its own user by default."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from accounts.models import Mage, User
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from challenges.models import Challenge
from challenges.services.create import create_challenge
from duels.terms import Terms

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)

MakeMage = Callable[..., Mage]
MakeChallenge = Callable[..., Challenge]


@pytest.fixture
def now() -> datetime:
    return NOW


def make_user(name: str) -> User:
    return create_user(name=name, now=NOW)


def make_mage(name: str, user: User | None = None) -> Mage:
    return register_mage(user=user or make_user(f"{name}_user"), name=name, now=NOW)


def make_challenge(challenger: Mage, *invited: Mage, **asked: object) -> Challenge:
    """A challenge on default terms: closed when mages are named, otherwise open to anyone."""
    details = {"terms": Terms(), "open_to_all": not invited, "now": NOW, **asked}
    return create_challenge(challenger=challenger, invited=invited, **details)


@pytest.fixture
def froodal(db: None) -> Mage:
    return make_mage("Froodal")


@pytest.fixture
def bung(db: None) -> Mage:
    return make_mage("Bung")


@pytest.fixture
def ayla(db: None) -> Mage:
    return make_mage("Ayla")


@pytest.fixture
def crom(db: None) -> Mage:
    return make_mage("Crom")
