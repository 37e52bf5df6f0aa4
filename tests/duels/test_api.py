"""The API: read a battle, its events after my number n, send orders; by token or by session."""

import json

import pytest
from django.test import Client

from accounts.services import issue_api_token
from duels.models import OrderSheet
from duels.services import keep_draft
from tests.duels.fights import NOW, charm_for_good, make_mage, make_user, start_fight


@pytest.fixture
def bearer():
    """Headers for a user's token."""

    def make(user):
        return {"Authorization": f"Bearer {issue_api_token(user=user, name='test', now=NOW)[1]}"}

    return make


def send(client, fight, body, **more):
    return client.post(
        f"/api/battles/{fight.number}/orders/", json.dumps(body), content_type="application/json", **more
    )


def test_anybody_may_read_a_battle_as_a_spectator(duel, client):
    answer = client.get(f"/api/battles/{duel.number}/")
    assert answer.status_code == 200
    body = answer.json()
    assert body["key"] == {"seq": 1, "attempt": 0, "stage": 0}
    assert body["you"] == []
    assert body["orders"] is None
    assert [mage["name"] for mage in body["mages"]] == ["Froodal", "Bung"]


def test_a_player_reads_his_questions_and_orders(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.order("Froodal", "P/D")
    orders = client.get(f"/api/battles/{duel.number}/").json()["orders"]
    assert (orders["mage"], orders["ready"], orders["lines"]) == ("Froodal", True, ["LH P", "RH D"])
    assert {question["id"] for question in orders["questions"]} >= {"LH", "RH", "SAY"}


def test_a_program_reads_the_sheet_that_counts_and_no_draft(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.order("Froodal", "P/D", ready=False)
    keep_draft(combatant=duel.combatant("Froodal"), text="S/S", stage=duel.key(), now=NOW)
    orders = client.get(f"/api/battles/{duel.number}/").json()["orders"]
    assert (orders["ready"], orders["lines"]) == (False, ["LH P", "RH D"])


def test_a_token_orders_for_its_owner(duel, client, bearer):
    answer = send(client, duel, {"orders": "P/D", "ready": True}, headers=bearer(duel.user("Froodal")))
    assert answer.status_code == 200, answer.content
    assert answer.json()["outcome"] == "ready"
    assert answer.json()["lines"] == ["LH P", "RH D"]


def test_a_token_of_nobody_is_refused_even_beside_a_session(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "P/D"}, headers={"Authorization": "Bearer fm_nonsense"})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_session_needs_its_csrf_token(duel):
    client = Client(enforce_csrf_checks=True)
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "P/D", "ready": True})
    assert (answer.status_code, answer.json()["error"]) == (403, "csrf")
    client.get(f"/battles/{duel.number}/")
    token = client.cookies["csrftoken"].value
    assert send(client, duel, {"orders": "P/D", "ready": True}, headers={"X-CSRFToken": token}).status_code == 200


def test_orders_of_nobody_are_asked_for_a_token_and_not_for_a_cookie(duel):
    answer = send(Client(enforce_csrf_checks=True), duel, {"orders": "P/D"})
    assert (answer.status_code, answer.json()["error"]) == (401, "log_in")


def test_a_token_needs_none(duel, bearer):
    client = Client(enforce_csrf_checks=True)
    assert send(client, duel, {"orders": "P/D"}, headers=bearer(duel.user("Froodal"))).status_code == 200


def test_a_stranger_may_not_order(duel, client):
    assert send(client, duel, {"orders": "P/D"}).status_code == 401
    client.force_login(make_user("Stranger"))
    answer = send(client, duel, {"orders": "P/D"})
    assert (answer.status_code, answer.json()["error"]) == (403, "not_your_mage")


def test_the_mage_of_another_is_refused(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "P/D", "mage": "Bung"})
    assert answer.status_code == 403
    assert answer.json()["mages"] == ["Froodal"]


@pytest.mark.parametrize("path", ["", "events/"])
def test_an_unknown_number_is_not_found(client, db, path):
    answer = client.get(f"/api/battles/4711/{path}")
    assert (answer.status_code, answer.json()["error"]) == (404, "no_battle")


def test_orders_for_an_unknown_number_are_not_found(client, db, bearer):
    answer = client.post(
        "/api/battles/4711/orders/",
        json.dumps({"orders": "P/D"}),
        content_type="application/json",
        headers=bearer(make_user("Passer_by")),
    )
    assert answer.status_code == 404


def test_orders_for_a_turn_that_is_over_are_answered_with_the_standing(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.turn("P/D", "F/F")
    answer = send(client, duel, {"orders": "P/D", "key": "1.0.0"})
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")
    assert answer.json()["now"]["key"] == {"seq": 2, "attempt": 0, "stage": 0}


def test_wrong_orders_are_answered_with_every_problem(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "LH Q\nDANCE"})
    assert (answer.status_code, answer.json()["error"]) == (422, "not_understood")
    assert [problem["line"] for problem in answer.json()["problems"]] == [1, 2]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", '"orders" is missing'),
        (b'{"orders": 3}', '"orders" is of the wrong kind'),
        (b'{"orders": "", "key": "now"}', "8.0.0"),
        (b'{"orders": "", "magic": 1}', '"magic" is not known'),
        (b"\xff\xfe", "not JSON"),
        (b'{"orders": "' + b"P" * 20000 + b'"}', "longer than"),
    ],
)
def test_a_bad_body_gets_a_clear_answer(duel, client, body, told):
    client.force_login(duel.user("Froodal"))
    answer = client.post(f"/api/battles/{duel.number}/orders/", body, content_type="application/json")
    assert answer.status_code == 400
    assert told in answer.json()["message"]


@pytest.mark.parametrize(("path", "method"), [("", "post"), ("events/", "delete"), ("orders/", "get")])
def test_other_methods_are_refused(duel, client, path, method):
    assert getattr(client, method)(f"/api/battles/{duel.number}/{path}").status_code == 405


def test_events_are_numbered_for_the_reader_and_can_be_read_on(duel, client):
    duel.turns([("P/D", "F/F"), ("S/W", "D/D")])
    client.force_login(duel.user("Froodal"))
    everything = client.get(f"/api/battles/{duel.number}/events/").json()["events"]
    assert [event["number"] for event in everything] == list(range(1, len(everything) + 1))
    rest = client.get(f"/api/battles/{duel.number}/events/?after=3").json()["events"]
    assert rest == everything[3:]
    assert client.get(f"/api/battles/{duel.number}/events/?after={len(everything)}").json()["events"] == []


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "9999999999", ""])
def test_a_bad_number_is_refused(duel, client, after):
    assert client.get(f"/api/battles/{duel.number}/events/?after={after}").status_code == 400


def test_the_readers_numbers_stay_the_same_when_the_battle_ends(duel, client):
    duel.turn("P/D", "F/F")
    before = client.get(f"/api/battles/{duel.number}/events/").json()["events"]
    duel.turn("S/S", "P/P")
    after = client.get(f"/api/battles/{duel.number}/events/").json()["events"]
    assert after[: len(before)] == before
    everything = client.get(f"/api/battles/{duel.number}/events/?view=all").json()["events"]
    assert len(everything) >= len(after)


@pytest.mark.parametrize("path", ["", "events/"])
def test_nothing_may_be_stored_on_the_way(duel, client, path):
    assert "no-store" in client.get(f"/api/battles/{duel.number}/{path}")["Cache-Control"]


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "\\ude00\\ud83d"])
def test_half_a_character_is_named_and_orders_nothing(duel, client, half):
    client.force_login(duel.user("Froodal"))
    address = f"/api/battles/{duel.number}/orders/"
    body = '{"orders": "P/D\\nSAY HALF", "ready": true}'.replace("HALF", half)
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["message"]) == (400, '"orders" holds half a character.')
    whole = '{"orders": "P/D\\nSAY \\ud83d\\ude00", "ready": true}'
    assert client.post(address, whole, content_type="application/json").json()["lines"][-1] == "SAY 😀"


LAST_WILL = "LH D\nRH -\nSUICIDE"


@pytest.fixture
def held(db):
    """Warlocks: a permanent Charm Person is on Froodal, and Bung directs it."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset="warlocks")
    charm_for_good(fight.battle, "Froodal", by="Bung")
    return fight


def test_a_held_warlock_ends_their_own_life(held, client, bearer):
    """WL-ENCH-39."""
    froodal = bearer(held.user("Froodal"))
    orders = client.get(f"/api/battles/{held.number}/", headers=froodal).json()["orders"]
    question = next(question for question in orders["questions"] if question["id"] == "SUICIDE")
    assert (question["kind"], question["required"]) == ("suicide", False)
    answer = send(client, held, {"orders": LAST_WILL, "ready": True}, headers=froodal)
    assert (answer.status_code, answer.json()["lines"]) == (200, ["LH D", "RH -", "SUICIDE"])
    assert [warning["code"] for warning in answer.json()["warnings"] if warning["severe"]] == ["suicide"]
    held.order("Bung", "-/-")
    assert (held.battle.result["winners"], held.battle.result["dead"]) == (["Bung"], ["Froodal"])


def test_nobody_else_may_end_a_life(held, client, bearer):
    bung = bearer(held.user("Bung"))
    questions = client.get(f"/api/battles/{held.number}/", headers=bung).json()["orders"]["questions"]
    assert "SUICIDE" not in {question["id"] for question in questions}
    refused = send(client, held, {"orders": LAST_WILL, "ready": True}, headers=bung)
    assert refused.status_code == 422 and refused.json()["problems"][0]["line"] == 3
    for_froodal = {"orders": LAST_WILL, "ready": True, "mage": "Froodal"}
    assert send(client, held, for_froodal, headers=bung).status_code == 403
    stranger = bearer(make_user("Stranger"))
    assert send(client, held, for_froodal, headers=stranger).status_code == 403
    assert not OrderSheet.objects.filter(ready=True).exists()


def test_other_rulesets_know_no_such_order(duel, client, bearer):
    charm_for_good(duel.battle, "Froodal", by="Bung")
    answer = send(client, duel, {"orders": LAST_WILL, "ready": True}, headers=bearer(duel.user("Froodal")))
    assert answer.status_code == 422
    assert "These rules do not know SUICIDE" in answer.json()["problems"][0]["message"]
