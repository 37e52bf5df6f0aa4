"""A hasty mage of Waving Hands gives two pairs of gestures in one turn: on the page, and by program."""

import json

import pytest

from duels.models import OrderSheet
from rules_engine import IllegalOrders
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HASTE = [("P/-", "-/-"), ("W/-", "-/-"), ("P/-", "-/-"), ("W/-", "-/-"), ("W/-", "-/-"), ("C/C", "-/-")]


@pytest.fixture
def fight() -> Fight:
    """Froodal is fast as of turn 7."""
    made = start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset="waving-hands")
    made.turns(HASTE)
    assert made.key() == (7, 0, 0)
    return made


def form(fight: Fight, **fields: str) -> dict[str, str]:
    return {"stage": str(fight.key()), "mage": "Froodal", "act": "ready", **fields}


def test_the_page_has_a_pad_for_every_hand_of_both_pairs(fight, client):
    client.force_login(fight.user("Froodal"))
    text = client.get(f"/battles/{fight.number}/").content.decode()
    for hand in ("LH", "RH", "LH2", "RH2"):
        assert f'id="pad-{hand}"' in text
        assert text.count(f'<input type="radio" name="{hand}"') == 8
    assert "Left hand, the second time" in text
    fight.order("Froodal", "S/-\nD/W")
    sealed = client.get(f"/battles/{fight.number}/").content.decode()
    for words in ("snap", "nothing"):
        assert f"Now: {words}, sealed" in sealed
    for words in ("digit, completes Magic Missile", "wave"):
        assert f"Now, the second time: {words}, sealed" in sealed


def test_the_other_mage_has_one_pair(fight, client):
    client.force_login(fight.user("Bung"))
    text = client.get(f"/battles/{fight.number}/").content.decode()
    assert 'id="pad-RH"' in text and "pad-LH2" not in text
    assert text.count("Now: hidden until everyone is ready") == 2
    assert text.count("Now, the second time: hidden until everyone is ready") == 2


def test_the_form_alone_sends_both_pairs(fight, client):
    client.force_login(fight.user("Froodal"))
    answer = client.post(f"/battles/{fight.number}/", form(fight, LH="S", RH="-", LH2="D", RH2="W"))
    assert answer.status_code == 302
    assert OrderSheet.objects.get(ready=True, stage__closed_at=None).lines == ["LH S", "RH -", "LH2 D", "RH2 W"]


def test_one_pair_is_not_enough(fight, client):
    client.force_login(fight.user("Froodal"))
    answer = client.post(f"/battles/{fight.number}/", form(fight, LH="S", RH="-", LH2="D"))
    assert answer.status_code == 422
    assert "There is no gesture for RH2." in answer.content.decode()


def test_the_pads_of_the_second_pair_know_what_the_first_began(fight, client):
    client.force_login(fight.user("Froodal"))
    for begun, done in (({"LH2": ""}, False), ({"LH2": "D", "RH2": "W"}, True)):
        sent = form(fight, LH="S", RH="-", act="preview") | begun
        text = client.post(f"/battles/{fight.number}/", sent).content.decode()
        pad = text.partition('id="pad-LH2"')[2].partition('id="pad-RH2"')[0]
        assert 'title="Completes Magic Missile' in pad, "the key D does not say what it completes"
        assert ('data-slot="TARGET LH2"' in text) == done


def test_programs_are_asked_for_both_pairs_and_their_columns_stand_side_by_side(fight, client):
    client.force_login(fight.user("Froodal"))
    ids = {q["id"] for q in client.get(f"/api/battles/{fight.number}/").json()["orders"]["questions"]}
    assert {"LH", "RH", "LH2", "RH2"} <= ids
    body = json.dumps({"orders": "S/-\nD/W\nTARGET LH2 Bung", "ready": True})
    assert (
        client.post(f"/api/battles/{fight.number}/orders/", body, content_type="application/json").json()["outcome"]
        == "ready"
    )
    fight.order("Bung", "P/-")
    battle = client.get(f"/api/battles/{fight.number}/").json()
    assert battle["columns"][-2:] == ["7", "7H"]
    left = {mage["name"]: mage["left"][-2:] for mage in battle["mages"]}
    assert left == {"Froodal": "SD", "Bung": "P."}
    assert battle["turn"] == "8"


def test_both_pairs_are_drawn_and_narrated(fight, client):
    fight.turn("S/-\nD/W", "-/-")
    client.force_login(fight.user("Bung"))
    text = client.get(f"/battles/{fight.number}/").content.decode()
    assert "Froodal casts Magic Missile at you." in text
    assert "7+" in text


def test_mages_cannot_stab_themselves_whichever_order_comes_first(fight):
    fight.order("Bung", "-/-\nTARGET RH Bung", ready=False)
    with pytest.raises(IllegalOrders, match=r"own dagger|stab yourself"):
        fight.order("Bung", "LH >\nTARGET LH Bung", ready=False)
    fight.order("Bung", "LH >", ready=False)
    with pytest.raises(IllegalOrders, match=r"own dagger|stab yourself"):
        fight.order("Bung", "TARGET LH Bung")
