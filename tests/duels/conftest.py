"""Fixtures: a duel, a melee, a practice battle."""

import pytest

from accounts.models import User
from tests.duels.fights import Fight, start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import make_mage, make_user


@pytest.fixture
def melee(db: None) -> Fight:
    """Ayla, Borin and Cormac, each with their own user."""
    return start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))


@pytest.fixture
def practice(db: None) -> Fight:
    """Left against Right, both of one user."""
    owner = make_user("Ambidexter")
    return start_fight(make_mage("Lefty", owner), make_mage("Righty", owner))


@pytest.fixture
def janitor(db: None) -> User:
    return make_janitor()
