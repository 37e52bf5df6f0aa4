"""The API: read a battle and its events after my number n, and send orders, by token or by session."""

import json
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken
from accounts.services.tokens import issue_api_token
from duels.models import OrderSheet
from duels.services.orders import save_draft
from ladder.models import ScoreEntry
from tests.duels.fights import charm_for_good, start_fight
from tests.scenes import make_mage, make_user


@pytest.fixture
def bearer():
    """Headers for a user's token."""

    def make(user):
        return {"Authorization": f"Bearer {issue_api_token(user=user, name='test', now=timezone.now())[1]}"}

    return make


def send(client, fight, body, **more):
    return client.post(
        f"/api/battles/{fight.number}/orders/", json.dumps(body), content_type="application/json", **more
    )


def test_anyone_may_read_a_battle_as_a_spectator(duel, client):
    answer = client.get(f"/api/battles/{duel.number}/")
    assert answer.status_code == 200
    body = answer.json()
    assert body["key"] == {"seq": 1, "attempt": 0, "stage": 0}
    assert body["you"] == []
    assert body["orders"] is None
    assert [mage["name"] for mage in body["mages"]] == ["Froodal", "Bung"]


def test_players_read_their_questions_and_orders(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.order("Froodal", "P/D")
    orders = client.get(f"/api/battles/{duel.number}/").json()["orders"]
    assert (orders["mage"], orders["ready"], orders["lines"]) == ("Froodal", True, ["LH P", "RH D"])
    assert {question["id"] for question in orders["questions"]} >= {"LH", "RH", "SAY"}


def test_a_battle_is_read_with_a_summary_of_its_last_turn(duel, client):
    client.force_login(duel.user("Bung"))
    assert client.get(f"/api/battles/{duel.number}/").json()["summary"] is None
    duel.turn("P/W", ">/S")
    told = client.get(f"/api/battles/{duel.number}/").json()["summary"]
    assert (told["turn"], told["key"]) == ("1", {"seq": 1, "attempt": 0})
    assert told["text"] == "Your stab does nothing: Froodal's shield stops it."
    assert told["lines"][0]["works"] is False


def test_a_program_reads_the_sheet_that_counts_and_no_draft(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.order("Froodal", "P/D", ready=False)
    save_draft(combatant=duel.combatant("Froodal"), text="S/S", stage=duel.key())
    orders = client.get(f"/api/battles/{duel.number}/").json()["orders"]
    assert (orders["ready"], orders["lines"]) == (False, ["LH P", "RH D"])


def test_a_token_orders_for_its_owner(duel, client, bearer):
    answer = send(client, duel, {"orders": "P/D", "ready": True}, headers=bearer(duel.user("Froodal")))
    assert answer.status_code == 200, answer.content
    assert answer.json()["outcome"] == "ready"
    assert answer.json()["lines"] == ["LH P", "RH D"]


def test_an_unknown_token_is_rejected_even_with_a_session(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "P/D"}, headers={"Authorization": "Bearer fm_nonsense"})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer error="invalid_token"'


def test_a_session_needs_its_csrf_token(duel):
    client = Client(enforce_csrf_checks=True)
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "P/D", "ready": True})
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
    client.get(f"/battles/{duel.number}/")
    token = client.cookies["csrftoken"].value
    assert send(client, duel, {"orders": "P/D", "ready": True}, headers={"X-CSRFToken": token}).status_code == 200


def test_orders_without_a_user_are_answered_with_a_request_for_a_token_not_a_cookie(duel):
    answer = send(Client(enforce_csrf_checks=True), duel, {"orders": "P/D"})
    assert (answer.status_code, answer.json()["code"]) == (401, "log_in")


def test_a_token_needs_none(duel, bearer):
    client = Client(enforce_csrf_checks=True)
    assert send(client, duel, {"orders": "P/D"}, headers=bearer(duel.user("Froodal"))).status_code == 200


def test_a_stranger_may_not_order(duel, client):
    assert send(client, duel, {"orders": "P/D"}).status_code == 401
    client.force_login(make_user("Stranger"))
    answer = send(client, duel, {"orders": "P/D"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_your_mage")


def test_an_empty_name_means_the_mage_that_the_battle_is_waiting_for(duel, client):
    client.force_login(duel.user("Froodal"))
    for name in ("", " ", None):
        answer = send(client, duel, {"orders": "P/D", "ready": False, "mage": name})
        assert (answer.status_code, answer.json().get("mage")) == (200, "Froodal")


def test_someone_elses_mage_is_rejected(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "P/D", "mage": "Bung"})
    assert answer.status_code == 403
    assert answer.json()["mages"] == ["Froodal"]


@pytest.mark.parametrize("path", ["", "events/"])
def test_an_unknown_number_is_not_found(client, db, path):
    answer = client.get(f"/api/battles/4711/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_battle")


def test_orders_for_an_unknown_number_are_not_found(client, db, bearer):
    answer = client.post(
        "/api/battles/4711/orders/",
        json.dumps({"orders": "P/D"}),
        content_type="application/json",
        headers=bearer(make_user("Passer_by")),
    )
    assert answer.status_code == 404


def test_orders_for_a_turn_that_is_over_are_answered_with_the_state_of_the_battle(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.turn("P/D", "F/F")
    again = send(client, duel, {"orders": "P/D", "key": "1.0.0"}).json()
    assert (again["outcome"], again["repeated"], again["turn"]) == ("resolved", True, "1")
    answer = send(client, duel, {"orders": "D/P", "key": "1.0.0"})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert answer.json()["now"]["key"] == {"seq": 2, "attempt": 0, "stage": 0}


def test_wrong_orders_are_answered_with_every_problem(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "LH Q\nDANCE"})
    assert (answer.status_code, answer.json()["code"]) == (422, "not_understood")
    assert [problem["line"] for problem in answer.json()["problems"]] == [1, 2]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", '"orders" is missing'),
        (b'{"orders": 3}', '"orders" must be text.'),
        (b'{"orders": "W/P", "ready": 1}', '"ready" must be true or false.'),
        (b'{"orders": "W/P", "orders": "P/P"}', '"orders" is given twice.'),
        (b'{"orders": NaN}', "NaN is not JSON."),
        (b"", "The body is empty. Send a JSON object."),
        (b'{"orders": "", "key": "now"}', "8.0.0"),
        (b'{"orders": "", "magic": 1}', '"magic" is unknown'),
        (b"\xff\xfe", "not JSON"),
        (b'{"orders": "P\\u0000D"}', '"orders" contains a NUL character'),
        (b'{"orders": "", "mage": "\\u0000"}', '"mage" contains a NUL character'),
        (b'{"orders": ' + b"[" * 7500 + b"]" * 7500 + b"}", "nested more than 8 levels"),
        (b"[" * 15000, "nested more than 8 levels"),
        (b'{"orders": "' + b"[" * 30 + b'", "x": {}}', '"x" is unknown'),
    ],
)
def test_a_bad_body_gets_a_clear_answer(duel, client, body, told):
    client.force_login(duel.user("Froodal"))
    answer = client.post(f"/api/battles/{duel.number}/orders/", body, content_type="application/json")
    assert answer.status_code == 400
    assert told in answer.json()["detail"]


@pytest.mark.parametrize(("path", "method"), [("", "post"), ("events/", "delete"), ("orders/", "get")])
def test_other_methods_are_rejected(duel, client, path, method):
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
def test_nothing_may_be_stored_on_the_way_to_a_player(duel, client, path):
    client.force_login(duel.user("Froodal"))
    assert "no-store" in client.get(f"/api/battles/{duel.number}/{path}")["Cache-Control"]


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "\\ude00\\ud83d"])
def test_half_a_character_is_named_and_orders_nothing(duel, client, half):
    client.force_login(duel.user("Froodal"))
    address = f"/api/battles/{duel.number}/orders/"
    body = '{"orders": "P/D\\nSAY HALF", "ready": true}'.replace("HALF", half)
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (400, '"orders" contains an incomplete character.')
    whole = '{"orders": "P/D\\nSAY \\ud83d\\ude00", "ready": true}'
    assert client.post(address, whole, content_type="application/json").json()["lines"][-1] == "SAY 😀"


def test_a_body_that_is_too_long_or_of_another_type_is_named_as_that(duel, client):
    client.force_login(duel.user("Froodal"))
    address = f"/api/battles/{duel.number}/orders/"
    for size in (20_000, 200_000):
        body = b'{"orders": "' + b"P" * size + b'"}'
        answer = client.post(address, body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_long")
    answer = client.post(address, {"orders": "P/D"})
    assert (answer.status_code, answer.json()["code"]) == (415, "not_json")


def test_a_user_who_may_not_order_is_rejected_before_the_body_is_read(duel, client):
    address = f"/api/battles/{duel.number}/orders/"
    for headers in ({}, {"Authorization": "Bearer fm_nonsense"}):
        answer = client.post(address, b"[" * 15000, content_type="application/json", headers=headers)
        assert answer.status_code == 401


def test_a_token_can_do_only_what_its_scope_allows(duel, client):
    froodal = duel.user("Froodal")
    token, text = issue_api_token(user=froodal, name="reader", scopes=["read"], now=timezone.now())
    headers = {"Authorization": f"Bearer {text}"}
    assert client.get(f"/api/battles/{duel.number}/", headers=headers).json()["you"] == ["Froodal"]
    answer = send(client, duel, {"orders": "P/D"}, headers=headers)
    assert (answer.status_code, answer.json()["code"], answer.json()["needed"]) == (403, "scope", ["play"])
    assert "insufficient_scope" in answer["WWW-Authenticate"]
    ApiToken.objects.filter(pk=token.pk).update(scopes="play")
    assert client.get(f"/api/battles/{duel.number}/", headers=headers).json()["needed"] == ["read"]


def test_an_expired_token_is_useless(duel, client):
    token, text = issue_api_token(user=duel.user("Froodal"), name="old", days=7, now=timezone.now())
    headers = {"Authorization": f"Bearer {text}"}
    assert client.get(f"/api/battles/{duel.number}/", headers=headers).status_code == 200
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert client.get(f"/api/battles/{duel.number}/", headers=headers).json()["code"] == "token"


PROBLEMS = {"type", "title", "status", "detail", "code"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "battles/4711/", 404),
        ("get", "nothing/of/ours/", 404),
        ("get", "battles/x/", 404),
        ("get", "battles/%00/", 404),
        ("get", "battles/1/events/?after=%00", 400),
        ("post", "battles/1/", 405),
        ("put", "battles/1/orders/", 405),
        ("post", "battles/1/orders/", 401),
        ("post", "problems/stale/", 405),
    ],
)
def test_every_rejection_is_a_problem(duel, client, method, path, status):
    answer = getattr(client, method)(f"/api/{path.replace('/1/', f'/{duel.number}/')}", content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert set(answer.json()) >= PROBLEMS and answer.json()["status"] == status
    meaning = client.get(urlsplit(answer.json()["type"]).path)
    assert meaning.json() == {"code": answer.json()["code"], "title": answer.json()["title"]}
    if status == 405:
        assert "GET" in answer["Allow"] or "POST" in answer["Allow"]


def test_our_own_errors_are_problems_too(duel, client, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("duels.api.routes.describe_current_stage", lambda battle: 1 / 0)
    answer = client.get(f"/api/battles/{duel.number}/events/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["code"] == "error" and "ZeroDivision" not in answer.content.decode()


def test_a_page_is_rejected_as_a_page(client, db):
    assert client.get("/battles/4711/")["Content-Type"].startswith("text/html")


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


def test_other_rulesets_reject_the_order(duel, client, bearer):
    charm_for_good(duel.battle, "Froodal", by="Bung")
    answer = send(client, duel, {"orders": LAST_WILL, "ready": True}, headers=bearer(duel.user("Froodal")))
    assert answer.status_code == 422
    assert "These rules have no SUICIDE" in answer.json()["problems"][0]["message"]


def test_a_program_surrenders_at_the_usual_cost_without_answering_what_its_palms_complete(duel, client):
    client.force_login(duel.user("Froodal"))
    duel.turn("W/-", "D/D")
    duel.turn("F/-", "D/D")
    duel.order("Froodal", "P/D\nCHOOSE LH Cause Light Wounds\nSAY Wait", ready=False)
    address = f"/api/battles/{duel.number}/resign/"
    assert client.post(address, {"key": "2.0.0"}, content_type="application/json").json()["code"] == "stale"
    told = client.post(address, {"key": "3.0.0"}, content_type="application/json").json()
    assert (told["outcome"], told["missing"]) == ("ready", []) and told["lines"][:2] == ["LH P", "RH P"]
    assert "SAY Wait" not in told["lines"]
    assert [each["code"] for each in told["warnings"] if each["severe"]] == ["surrender"]
    duel.order("Bung", "W/W")
    battle = client.get(f"/api/battles/{duel.number}/").json()
    assert {mage["name"]: mage["standing"] for mage in battle["mages"]} == {
        "Froodal": "surrendered",
        "Bung": "victorious",
    }
    paid = ScoreEntry.objects.filter(battle=duel.number, mage__name="Froodal", reason=ScoreEntry.Reason.SURRENDERED)
    assert [entry.due for entry in paid] == [-1]
    again = client.post(address, {}, content_type="application/json")
    assert again.status_code == 409


def test_only_the_owner_of_a_mage_can_surrender_with_it(duel, client):
    address = f"/api/battles/{duel.number}/resign/"
    assert client.post(address, {}, content_type="application/json").status_code == 401
    client.force_login(duel.user("Bung"))
    answer = client.post(address, {"mage": "Froodal"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_your_mage")
    assert not OrderSheet.objects.filter(ready=True).exists()


def test_a_problem_of_no_line_says_so(duel, client):
    client.force_login(duel.user("Froodal"))
    answer = send(client, duel, {"orders": "LH P", "ready": True})
    (told,) = answer.json()["problems"]
    assert (answer.status_code, told["code"], told["line"]) == (422, "hand_missing", None)
