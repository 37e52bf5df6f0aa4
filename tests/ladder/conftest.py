"""Mages of four users, for battles with results."""

import pytest

from accounts.models import Mage
from tests.scenes import make_mage


@pytest.fixture
def mages(db: None) -> list[Mage]:
    return [make_mage(name, f"{name}_user") for name in ("Froodal", "Bung", "Wart", "Zeke")]
