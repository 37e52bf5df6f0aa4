"""Fixtures: the gateway, and a duel between two players who use email."""

from dataclasses import dataclass

import pytest

from accounts.models import Mage
from duels.models import Battle
from tests.email_gateway.challengers import USERS
from tests.email_gateway.world import MailWorld


@pytest.fixture
def world(db: None, settings) -> MailWorld:
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    return MailWorld()


@dataclass
class MailedDuel:
    """Froodal (of Frode) against Bung (of Bill)."""

    world: MailWorld
    battle: Battle
    froodal: Mage
    bung: Mage

    @property
    def number(self) -> int:
        return self.battle.number

    def reload(self) -> Battle:
        self.battle.refresh_from_db()
        return self.battle


@pytest.fixture
def duel(world: MailWorld) -> MailedDuel:
    froodal = world.mage("Froodal", world.user("Frode"))
    bung = world.mage("Bung", world.user("Bill"))
    return MailedDuel(world, world.duel(froodal, bung), froodal, bung)


@pytest.fixture
def mages(world: MailWorld) -> dict[str, Mage]:
    """The mages of four players who settle a challenge."""
    return {mage: world.mage(mage, world.user(user)) for mage, user in USERS.items()}
