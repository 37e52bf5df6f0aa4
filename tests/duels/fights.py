"""Battles for tests: real users, real mages, the real rules."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from accounts.models import Mage, User
from duels.keys import StageKey
from duels.models import Battle, Combatant
from duels.selectors.stage_keys import key_of
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from duels.services.receipts import Receipt
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from rules_engine import read_state, write_state
from rules_engine.beings import PERMANENT
from rules_engine.state import State
from tests.scenes import NOW


@dataclass
class Fight:
    """A battle and its mages, ordered about by name."""

    battle: Battle
    mages: dict[str, Mage]

    @property
    def number(self) -> int:
        return self.battle.number

    @property
    def names(self) -> list[str]:
        return list(self.mages)

    def user(self, name: str) -> User:
        return self.mages[name].user

    def combatant(self, name: str) -> Combatant:
        return get_combatant_for_user(number=self.number, user=self.user(name), mage_name=name)

    def key(self) -> StageKey:
        self.battle.refresh_from_db()
        return key_of(self.battle)

    def order(self, name: str, text: str, **more: Any) -> Receipt:
        details = {"via": "web", "now": NOW, "ready": True, **more}
        receipt = submit_orders(combatant=self.combatant(name), text=text, **details)
        self.battle.refresh_from_db()
        return receipt

    def turn(self, *orders: str) -> Receipt:
        """Everyone is ready, in the order of the battle; the receipt is the last one's."""
        receipts = [self.order(name, text) for name, text in zip(self.names, orders, strict=True)]
        return receipts[-1]

    def stir(self) -> None:
        """Let every mage give an order and clear it again: a mage who runs out of time now has moved, and forfeits."""
        for name in self.names:
            self.order(name, "LH F", ready=False)
            self.order(name, "CLEAR", ready=False)

    def turns(self, rounds: Iterable[tuple[str, ...]]) -> None:
        for orders in rounds:
            self.turn(*orders)


@contextmanager
def changed_state(battle: Battle) -> Iterator[State]:
    """The state of a battle to be changed and kept, where turns would take long to bring it there."""
    state = read_state(battle.state)
    yield state
    battle.state = write_state(state)
    battle.save(update_fields=["state"])


def charm_for_good(battle: Battle, victim: str, by: str) -> None:
    """Lay a permanent Charm Person on a mage."""
    with changed_state(battle) as state:
        wizard = state.wizards[victim]
        wizard.marks["charmed"], wizard.controller = PERMANENT, by


def start_fight(*mages: Mage, **terms: Any) -> Fight:
    battle = start_battle(number=take_number(), terms=Terms(**terms), mages=mages, now=NOW)
    return Fight(battle, {mage.name: mage for mage in mages})
