"""Fixtures: the gateway, and a duel between two players who use email."""

from dataclasses import dataclass

import pytest

from accounts.models import Mage
from duels.models import Battle
from tests.email_gateway.challengers import USERS
from tests.email_gateway.world import MailWorld
from tests.services.saved_scenes import SavedScene, save_scene


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


def start_mailed_duel() -> MailedDuel:
    world = MailWorld()
    froodal = world.mage("Froodal", world.user("Frode"))
    bung = world.mage("Bung", world.user("Bill"))
    return MailedDuel(world, world.duel(froodal, bung), froodal, bung)


saved_mailed_duel = save_scene(start_mailed_duel)


@pytest.fixture
def duel(world: MailWorld, saved_mailed_duel: SavedScene[MailedDuel]) -> MailedDuel:
    made = saved_mailed_duel.begin()
    world.now, made.world = made.world.now, world
    return made


def register_mages() -> dict[str, Mage]:
    world = MailWorld()
    return {mage: world.mage(mage, world.user(user)) for mage, user in USERS.items()}


saved_mages = save_scene(register_mages)


@pytest.fixture
def mages(world: MailWorld, saved_mages: SavedScene[dict[str, Mage]]) -> dict[str, Mage]:
    """The mages of four players who settle a challenge."""
    return saved_mages.begin()
