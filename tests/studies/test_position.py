"""A position by API is what a mage knows in the line protocol of bots, for its own player alone."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.tokens import issue_api_token
from rules_engine import read_state
from rules_engine.bots import see
from tests.duels.fights import start_fight
from tests.duels.test_secrecy import BLIND
from tests.scenes import make_mage, make_user

pytestmark = pytest.mark.once


@pytest.fixture
def duel(db):
    return start_fight(make_mage("Froodal"), make_mage("Bung"))


def ask(duel, user, query=""):
    text = issue_api_token(user=user, name="test", scopes=["read"], now=timezone.now())[1]
    headers = {"Authorization": f"Bearer {text}"}
    answer = Client().get(f"/api/v1/battles/{duel.number}/position/{query}", headers=headers)
    return answer.status_code, answer.json()


def test_it_is_what_the_line_protocol_says_and_whose_orders_it_wants(duel):
    duel.turns([("P/S", "W/D"), ("S/W", "D/F"), ("D/F", "F/F")])
    for name in duel.names:
        status, told = ask(duel, duel.user(name))
        facts = see(read_state(duel.battle.state), name).facts
        assert (status, told.pop("battle"), told.pop("key")) == (200, duel.number, str(duel.key()))
        assert told == json.loads(json.dumps(facts))
    assert ask(duel, duel.user("Bung"), "?mage=Froodal")[1]["code"] == "not_your_mage"
    assert ask(duel, make_user("Stranger"))[1]["code"] == "not_your_mage"


def test_a_blind_mage_is_told_what_it_saw_before(duel):
    duel.turns(BLIND)
    found = {name: ask(duel, duel.user(name))[1]["belief"] for name in duel.names}
    other, blind = duel.names
    (remembered,) = found[blind]["mages"]
    assert found[other] is None
    assert (remembered["name"], remembered["hp"]) == (other, 15)
    assert found[blind]["known"] == list(range(1, len(BLIND) + 1))


def test_there_is_none_when_nothing_is_to_be_ordered(duel):
    duel.turn("P/P", "S/S")
    status, told = ask(duel, duel.user("Bung"))
    assert (status, told["code"]) == (409, "nothing_to_order")
