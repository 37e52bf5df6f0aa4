"""What the tests of studies share."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from accounts.models import User
from rules_engine.bots import analyse
from rules_engine.bots.look_further import DEPTHS, Depth
from tests.duels.fights import Fight
from tests.scenes import make_user
from tests.services.plugin import LONG
from tests.services.saved_scenes import SavedScene, save_scene
from tests.studies.fights import fight_to_the_end


@contextmanager
def shallow_analyses() -> Iterator[None]:
    """Analyses look at few outcomes: for tests of who analyses what, when and how often, whatever the numbers are.

    The tests of the engine prove the numbers; ./run test long looks as far as the site does.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not LONG:
            patch.setattr(analyse, "MOST_CELLS", 100)
            for name in DEPTHS:
                patch.setitem(DEPTHS, name, Depth(name, 4, 8 if name == "Magus" else 16))
        yield


@pytest.fixture
def shallow() -> Iterator[None]:
    with shallow_analyses():
        yield


saved_ended = save_scene(fight_to_the_end)


@pytest.fixture
def ended(db: None, saved_ended: SavedScene[Fight]) -> Fight:
    return saved_ended.begin()


@pytest.fixture
def pat(db: None) -> User:
    return make_user("Pat")
