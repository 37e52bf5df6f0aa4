"""The chat beside a battle over the API: each reads and writes only their own room."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.tokens import issue_api_token
from duels.models import ChatLine
from tests.scenes import make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def bearer(user, *scopes, **more):
    token = issue_api_token(user=user, name="test", scopes=list(scopes or ("play",)), now=timezone.now())[1]
    return {"Authorization": f"Bearer {token}", **more}


def say(duel, user, text, *scopes, **more):
    return Client().post(
        f"/api/v1/battles/{duel.number}/chat/",
        json.dumps({"text": text}),
        content_type="application/json",
        headers=bearer(user, *scopes, **more),
    )


def read(duel, user=None, **query):
    headers = bearer(user, "read") if user else {}
    answer = Client().get(f"/api/v1/battles/{duel.number}/chat/", query, headers=headers)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_players_and_spectators_read_their_own_room_until_the_end(duel):
    spectator = make_mage("Ayla").user
    assert say(duel, duel.user("Froodal"), "Good luck").status_code == 200
    assert say(duel, spectator, "He will lose").json()["room"] == "spectators"
    players = read(duel, duel.user("Bung"))
    assert [(line["name"], line["text"], line["mine"]) for line in players["lines"]] == [
        ("Froodal", "Good luck", False)
    ]
    assert [line["text"] for line in read(duel, spectator)["lines"]] == ["He will lose"]
    stranger = read(duel)
    assert [line["text"] for line in stranger["lines"]] == ["He will lose"]
    assert not stranger["may_write"] and stranger["why_not"]
    duel.turn("P/P", "-/-")
    assert {line["text"] for line in read(duel, duel.user("Bung"))["lines"]} == {"Good luck", "He will lose"}


def test_a_line_that_arrives_twice_is_written_once(duel):
    key = {"Idempotency-Key": "once"}
    headers = bearer(duel.user("Froodal"), **key)
    path, body = f"/api/v1/battles/{duel.number}/chat/", '{"text": "Hello"}'
    for _ in range(2):
        answer = Client().post(path, body, content_type="application/json", headers=headers)
        assert answer.status_code == 200
    assert ChatLine.objects.count() == 1


def test_an_invalid_line_is_rejected_with_its_reason(duel):
    froodal = duel.user("Froodal")
    for text in ("", "x" * 281):
        answer = say(duel, froodal, text)
        assert (answer.status_code, answer.json()["code"]) == (409, "cannot_chat"), answer.content
    assert say(duel, froodal, "x" * 2001).status_code == 400
    assert say(duel, froodal, "hello", "read").status_code == 403
    assert Client().post(f"/api/v1/battles/{duel.number}/chat/", {}).status_code == 401
    assert Client().get("/api/v1/battles/999999/chat/").status_code == 404
    assert not ChatLine.objects.exists()


def test_older_lines_are_read_page_by_page(duel):
    froodal = duel.user("Froodal")
    for number in range(3):
        say(duel, froodal, f"line {number}")
    lines = read(duel, froodal)["lines"]
    assert [line["text"] for line in read(duel, froodal, before=lines[2]["line"])["lines"]] == ["line 0", "line 1"]
