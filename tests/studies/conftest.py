"""What the tests of studies share."""

import pytest

from accounts.models import User
from rules_engine.bots import analyse
from rules_engine.bots.look_further import DEPTHS, Depth
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage, make_user
from tests.services.plugin import LONG
from tests.studies.fights import fight_to_the_end


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses look at few outcomes: for tests of who analyses what, when and how often, whatever the numbers are.

    The tests of the engine prove the numbers; ./run test long looks as far as the site does.
    """
    if not LONG:
        monkeypatch.setattr(analyse, "MOST_CELLS", 100)
        for name in DEPTHS:
            monkeypatch.setitem(DEPTHS, name, Depth(name, 4, 8 if name == "Magus" else 16))


@pytest.fixture
def duel(db: None) -> Fight:
    """Froodal against Bung, each with their own user."""
    return start_fight(make_mage("Froodal"), make_mage("Bung"))


@pytest.fixture
def ended(db: None) -> Fight:
    return fight_to_the_end()


@pytest.fixture
def pat(db: None) -> User:
    return make_user("Pat")
