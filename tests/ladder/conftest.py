"""Mages of four users, for battles with results."""

from datetime import UTC, datetime

import pytest

from accounts.models import Mage
from accounts.services.mages import register_mage
from accounts.services.users import create_user

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)


def make_mage(name: str, owner: str) -> Mage:
    return register_mage(user=create_user(name=owner, now=NOW), name=name, now=NOW)


@pytest.fixture
def mages(db: None) -> list[Mage]:
    return [make_mage(name, f"{name}_user") for name in ("Froodal", "Bung", "Wart", "Zeke")]
