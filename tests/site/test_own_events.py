"""Which events a program gets of its own actions: only what is news for everyone in the battle (docs/api.md)."""

import pytest
from django.utils import timezone

from accounts.models import User
from duels.models import Battle
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from notifications.events import list_events
from tests.duels.fights import Fight
from tests.duels.test_time_calls import Caller
from tests.scenes import make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    mages = [make_mage("Froodal"), make_mage("Bung")]
    battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=timezone.now())
    return Fight(battle, {mage.name: mage for mage in mages})


class Program:
    """A user's program, and the types of the events that each of its calls brings it."""

    def __init__(self, user: User) -> None:
        self.user, self.call, self.seen = user, Caller(user), 0
        self.read()

    def read(self) -> list[str]:
        events, _more = list_events(user=self.user, after="")
        new, self.seen = events[self.seen :], len(events)
        return [event.type for event in new]

    def does(self, method: str, path: str, body: dict | None = None, *, expect: int = 200) -> list[str]:
        self.call(method, path, body, expect=expect)
        return self.read()


def test_a_program_gets_no_event_of_what_only_it_has_done(duel):
    froodal, bung = Program(duel.user("Froodal")), Program(duel.user("Bung"))
    path = f"battles/{duel.number}/"
    assert froodal.does("post", path + "orders/", {"orders": "S/D"}) == []
    assert froodal.does("post", path + "orders/", {"orders": "", "ready": True}) == []
    assert froodal.does("post", path + "chat/", {"text": "Good luck"}) == []
    assert bung.does("post", path + "time/take/") == []
    assert froodal.does("post", path + "time/give/", {"to": "Bung"}) == []
    assert bung.read() == ["battle_changed"], "it is news for the other one"
    assert froodal.does("put", "vacation/", {"days": 3}) == []
    assert froodal.does("delete", "vacation/") == []
    assert froodal.does("post", path + "pause/", {"minutes": 60}) == []
    assert bung.read() == ["battle_changed"]


def test_a_program_gets_the_turn_that_its_own_orders_complete_and_the_pause_that_it_agrees_to(duel):
    froodal, bung = Program(duel.user("Froodal")), Program(duel.user("Bung"))
    path = f"battles/{duel.number}/"
    assert froodal.does("post", path + "orders/", {"orders": "S/D", "ready": True}) == []
    assert bung.does("post", path + "orders/", {"orders": "W/F", "ready": True}) == ["turn_resolved"]
    assert froodal.read() == ["turn_resolved"]
    assert froodal.does("post", path + "pause/", {"minutes": 60}) == []
    assert bung.does("post", path + "pause/", {"minutes": 60}) == ["battle_changed", "battle_changed"]
    assert froodal.read() == ["battle_changed"]
    assert froodal.does("post", path + "orders/", {"orders": "P/P", "ready": True}) == []
    assert bung.does("post", path + "orders/", {"orders": "-/-", "ready": True}) == ["battle_over"]


def test_a_challenge_of_its_own_brings_no_event_until_somebody_joins():
    ayla, borin = make_mage("Ayla"), make_mage("Borin")
    one, two = Program(ayla.user), Program(borin.user)
    assert one.does("post", "challenges/", {"mage": "Ayla"}, expect=201) == []
    number = one.call("get", "challenges/")["challenges"][0]["challenge"]
    assert two.does("post", f"challenges/{number}/accept/", {"mage": "Borin"}) == ["battle_started"]
    assert Battle.objects.count() == 1
