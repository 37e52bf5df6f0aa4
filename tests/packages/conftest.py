"""Fixtures: a duel."""

import pytest

from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage


@pytest.fixture
def duel(transactional_db: None) -> Fight:
    """Froodal against Bung, each with their own user."""
    return start_fight(make_mage("Froodal"), make_mage("Bung"))
