"""Mages for challenges, each with its own user by default."""

from collections.abc import Callable
from datetime import datetime

import pytest

from accounts.models import Mage
from challenges.models import Challenge
from challenges.services.create import create_challenge
from duels.terms import Terms
from tests.bots import bring_bots
from tests.scenes import NOW, make_mage

MakeMage = Callable[..., Mage]
MakeChallenge = Callable[..., Challenge]


@pytest.fixture
def now() -> datetime:
    return NOW


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


@pytest.fixture
def bots(db: None) -> None:
    bring_bots(now=NOW)
