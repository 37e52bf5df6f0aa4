"""The wrapper around every API call: idempotency keys, limits, ETags, scopes."""

import json
from datetime import timedelta
from functools import partial

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.models import IdempotentAnswer
from accounts.services.idempotency import forget_answers
from accounts.services.tokens import issue_api_token
from duels.models import Battle, OrderSheet
from tests.bots import bring_bots
from tests.races import at_once
from tests.scenes import make_mage


def bearer(user, **more):
    return {"Authorization": f"Bearer {issue_api_token(user=user, name='test', now=timezone.now(), **more)[1]}"}


def post(path, body, headers):
    return Client().post(f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers)


def order(duel, body, headers):
    return post(f"/battles/{duel.number}/orders/", body, headers)


def test_the_same_key_gets_the_same_answer_and_has_one_effect(duel):
    headers = bearer(duel.user("Froodal")) | {"Idempotency-Key": "one"}
    first = order(duel, {"orders": "P/D", "ready": True}, headers)
    duel.order("Bung", "F/F")
    duel.turn("W/W", "W/W")
    again = order(duel, {"orders": "P/D", "ready": True}, headers)
    assert (again.status_code, again.content) == (first.status_code, first.content) and first.status_code == 200
    assert again["Content-Type"] == first["Content-Type"]
    assert "Idempotency-Replayed" not in first and again["Idempotency-Replayed"] == "true"
    assert OrderSheet.objects.filter(stage__turn__seq=3, stage__battle=duel.battle).exclude(lines=[]).count() == 0


def test_a_rejection_of_orders_is_kept_too(duel):
    headers = bearer(duel.user("Froodal")) | {"Idempotency-Key": "one"}
    first = order(duel, {"orders": "LH Q"}, headers)
    again = order(duel, {"orders": "LH Q"}, headers)
    assert first.status_code == 422 and again.content == first.content
    assert again["Content-Type"] == "application/problem+json" and again["Idempotency-Replayed"] == "true"


def test_a_key_is_for_one_request(duel):
    headers = bearer(duel.user("Froodal")) | {"Idempotency-Key": "one"}
    order(duel, {"orders": "P/D"}, headers)
    other = order(duel, {"orders": "W/W"}, headers)
    assert (other.status_code, other.json()["code"]) == (422, "key")
    assert order(duel, {"orders": "W/W"}, headers | {"Idempotency-Key": "x" * 201}).status_code == 400


def test_a_key_is_the_callers_own(duel):
    key = {"Idempotency-Key": "one"}
    assert order(duel, {"orders": "P/D"}, bearer(duel.user("Froodal")) | key).json()["mage"] == "Froodal"
    assert order(duel, {"orders": "P/D"}, bearer(duel.user("Bung")) | key).json()["mage"] == "Bung"
    reader = bearer(duel.user("Froodal"), scopes=["read"]) | key
    assert order(duel, {"orders": "P/D"}, reader).json()["code"] == "scope"


def test_a_rejected_caller_may_try_again_with_the_key(duel):
    headers = bearer(duel.user("Froodal"), scopes=["read"]) | {"Idempotency-Key": "one"}
    assert order(duel, {"orders": "P/D"}, headers).status_code == 403
    assert not IdempotentAnswer.objects.exists()


def test_a_body_of_another_type_may_be_sent_again_as_json_with_the_key(duel):
    headers = bearer(duel.user("Froodal")) | {"Idempotency-Key": "one"}
    path, body = f"/api/v1/battles/{duel.number}/orders/", json.dumps({"orders": "P/D"})
    assert Client().post(path, body, content_type="text/plain", headers=headers).status_code == 415
    assert Client().post(path, body, content_type="application/json", headers=headers).status_code == 200


def test_after_an_error_of_ours_no_answer_or_effect_remains(duel, monkeypatch):
    headers = bearer(duel.user("Froodal")) | {"Idempotency-Key": "one"}
    with monkeypatch.context() as broken:
        broken.setattr("duels.api.routes.write_receipt", lambda receipt: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            order(duel, {"orders": "P/D", "ready": True}, headers)
    assert not OrderSheet.objects.filter(ready=True).exists()
    assert order(duel, {"orders": "P/D", "ready": True}, headers).json()["outcome"] == "ready"


def test_an_answer_is_forgotten_after_a_day_and_stored_encrypted(duel):
    headers = bearer(duel.user("Froodal")) | {"Idempotency-Key": "one"}
    order(duel, {"orders": "P/D"}, headers)
    row = IdempotentAnswer.objects.get()
    assert "LH P" not in row.sealed and "one" not in row.hash
    assert forget_answers(now=timezone.now()) == 0
    IdempotentAnswer.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert "Idempotency-Replayed" not in order(duel, {"orders": "P/D"}, headers)
    assert forget_answers(now=timezone.now() + timedelta(days=1)) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_calls_at_once_with_one_key_have_one_effect():
    cache.clear()
    bring_bots(now=timezone.now())
    mages = [make_mage("Froodal")]
    mages += [make_mage(name, mages[0].user) for name in ("Second", "Third", "Fourth")]
    headers = bearer(mages[0].user) | {"Idempotency-Key": "one"}
    calls = [partial(post, "/play/", {"strength": "Apprentice"}, headers)] * 4
    answers = at_once(*calls)
    assert {answer.status_code for answer in answers} == {201}, [answer.content for answer in answers]
    assert len({answer.content for answer in answers}) == 1
    assert Battle.objects.count() == 1
    assert sum("Idempotency-Replayed" not in answer for answer in answers) == 1


def test_every_answer_says_how_many_calls_are_left(duel, settings):
    settings.FM_API_CALLS_PER_MINUTE = 3
    headers = bearer(duel.user("Froodal"))
    answers = [Client().get(f"/api/v1/battles/{duel.number}/", headers=headers) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[0]["RateLimit-Policy"] == '"calls";q=3;w=60' and answers[0]["RateLimit"].startswith('"calls";r=2;t=')
    assert answers[3].json()["code"] == "too_many" and 0 < int(answers[3]["Retry-After"]) <= 60
    assert order(duel, {"orders": "P/D"}, bearer(duel.user("Froodal"))).status_code == 429  # another token of theirs
    assert order(duel, {"orders": "P/D"}, bearer(duel.user("Bung"))).status_code == 200


def test_a_limit_needs_no_extra_query(duel, django_assert_num_queries):
    headers = bearer(duel.user("Froodal"))
    Client().get(f"/api/v1/battles/{duel.number}/table/", headers=headers)
    with django_assert_num_queries(6):
        Client().get(f"/api/v1/battles/{duel.number}/table/", headers=headers)


def test_an_unchanged_answer_is_not_sent_again(duel):
    headers = bearer(duel.user("Froodal"))
    path = f"/api/v1/battles/{duel.number}/"
    first = Client().get(path, headers=headers)
    known = headers | {"If-None-Match": first["ETag"]}
    again = Client().get(path, headers=known)
    assert (again.status_code, again.content) == (304, b"") and again["ETag"] == first["ETag"]
    duel.order("Bung", "F/F")
    assert Client().get(path, headers=known).status_code == 200
    stranger = Client().get(path)
    assert Client().get(path, headers={"If-None-Match": stranger["ETag"]}).status_code == 304


def test_hidden_orders_change_no_etag(duel):
    """The other player's orders are secret until both are ready."""
    headers = bearer(duel.user("Froodal"))
    path = f"/api/v1/battles/{duel.number}/"
    duel.order("Bung", "F/F", ready=False)
    first = Client().get(path, headers=headers)
    duel.order("Bung", "P/W", ready=False)
    assert Client().get(path, headers=headers | {"If-None-Match": first["ETag"]}).status_code == 304


def test_head_is_answered_like_get(duel):
    answer = Client().head(f"/api/v1/battles/{duel.number}/", headers=bearer(duel.user("Froodal")))
    assert (answer.status_code, answer.content) == (200, b"") and answer["ETag"]


def test_the_old_paths_are_the_same_calls(duel):
    headers = bearer(duel.user("Froodal"))
    old, new = (Client().get(f"{path}/battles/{duel.number}/", headers=headers) for path in ("/api", "/api/v1"))
    assert old.content == new.content


@pytest.mark.django_db
@pytest.mark.parametrize("debug", [False, True])
def test_a_call_while_the_database_is_away_gets_503_and_when_to_try_again(settings, monkeypatch, debug):
    """Also with DEBUG, where ninja would answer with a traceback."""

    def fail(**_asked):
        raise OperationalError("the connection is closed")

    settings.DEBUG = debug
    monkeypatch.setattr("duels.api.battle_stream.get_battle_for_viewer", fail)
    answer = Client(raise_request_exception=False).get("/api/v1/battles/1/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (503, "application/problem+json")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("is_debug", (False, True))
def test_a_call_without_its_slash_is_refused_in_place_of_being_read(duel, settings, is_debug):
    """Redirected, a POST would become a GET that succeeds."""
    settings.DEBUG = is_debug
    headers = bearer(duel.user("Froodal"))
    answer = post("/challenges?x=1", {"mage": "Froodal"}, headers)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.json()["detail"] == "The address ends with a slash: /api/v1/challenges/"
    assert post("/openapi.json", {}, headers).status_code == 405
    assert post("/nothing", {}, headers).json()["detail"] == "No such address."
