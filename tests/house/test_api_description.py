"""The description of the API (OpenAPI 3.1): it is valid, and every call answers as it says."""

import json
import re

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from accounts.services import issue_api_token
from fm_site.api import api
from tests.duels.fights import make_mage, make_user, start_fight

pytestmark = pytest.mark.django_db
METHODS = {"get", "post", "put", "delete"}


@pytest.fixture(scope="module")
def described():
    return json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/")))


@pytest.fixture
def duel():
    return start_fight(make_mage("Froodal"), make_mage("Bung"))


def calls_of(described):
    return [(path, method, call) for path, calls in described["paths"].items() for method, call in calls.items()]


def refs_in(value):
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        for each in value.values():
            yield from refs_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from refs_in(each)


def test_the_description_is_served_and_is_the_same_in_every_language(client, described):
    for language in ("en", "de"):
        answer = client.get("/api/v1/openapi.json", headers={"Accept-Language": language})
        assert answer.json() == described


def test_the_description_keeps_the_rules_of_openapi(described):
    assert described["openapi"].startswith("3.1.")
    assert described["info"]["title"] and described["info"]["version"]
    names = [call["operationId"] for _, _, call in calls_of(described)]
    assert len(names) == len(set(names))
    for path, method, call in calls_of(described):
        assert method in METHODS
        told = {each["name"] for each in call.get("parameters", []) if each["in"] == "path"}
        assert told == set(re.findall(r"{(\w+)}", path)), path
        assert call["summary"] and call["description"] and call["tags"]
        assert call["responses"] and all(answer["description"] for answer in call["responses"].values())
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
        assert schema["description"], schema["title"]
    known = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}
    assert set(refs_in(described)) <= known


def test_errors_are_described_as_problems(described):
    for path, _, call in calls_of(described):
        for status, answer in call["responses"].items():
            kind = "application/problem+json" if int(status) >= 400 else "application/json"
            assert set(answer.get("content", {kind: None})) == {kind}, (path, status)


class Caller:
    """Makes calls with a token, and checks every answer against the description."""

    def __init__(self, described, user):
        self.described, self.made = described, set()
        self.token = issue_api_token(user=user, name="test", now=timezone.now())[1]

    def __call__(self, name, expect=200, *, body=None, query="", **place):
        path, method, call = next(each for each in calls_of(self.described) if each[2]["operationId"] == name)
        address = path.format(**place) + query
        headers = {"Authorization": f"Bearer {self.token}"}
        more = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        answer = getattr(Client(), method)(address, headers=headers, **more)
        assert answer.status_code == expect, (name, answer.content)
        told = call["responses"][str(expect)]
        if "content" in told:
            ((kind, media),) = told["content"].items()
            assert answer["Content-Type"].partition(";")[0] == kind
            schema = {**media["schema"], "components": self.described["components"]}
            Draft202012Validator(schema).validate(answer.json())
        else:
            assert answer.content == b""
        self.made.add(name)
        return answer.json() if answer.content else None


def test_every_call_answers_as_described(described, duel):
    froodal = Caller(described, duel.user("Froodal"))
    n = duel.number
    assert froodal("list_battles")["battles"][0]["battle"] == n
    assert froodal("read_battle", number=n)["orders"]["mage"] == "Froodal"
    froodal("read_battle", 404, number=4711)
    froodal("send_orders", 422, number=n, body={"orders": "LH Q\nDANCE"})
    froodal("send_orders", 400, number=n, body={"order": "P/D"})
    froodal("send_orders", number=n, body={"orders": "P/D", "ready": True})
    duel.order("Bung", "F/F")
    froodal("send_orders", 409, number=n, body={"orders": "P/D", "key": "1.0.0"})
    assert froodal("read_events", number=n)["events"]
    froodal("read_events", 400, number=n, query="?after=x")
    froodal("read_table", number=n)
    froodal("read_story", number=n)
    froodal("read_record", 409, number=n)
    duel.turn("S/S", "P/P")
    froodal("read_record", number=n)
    assert froodal("read_battle", number=n)["result"]
    froodal("read_events", number=n, query="?view=all")
    froodal("play_now", 409, body={"strength": "Nobody"})
    assert froodal.made >= {call["operationId"] for _, _, call in calls_of(described)}


def test_a_stranger_to_the_battle_is_refused_as_described(described, duel):
    make_mage("Elsewhere")
    stranger = Caller(described, make_user("Stranger"))
    assert stranger("send_orders", 403, number=duel.number, body={"orders": "P/D"})["code"] == "not_your_mage"


def test_a_wrong_body_names_every_problem_with_its_place_and_the_nearest_form(described, duel):
    froodal = Caller(described, duel.user("Froodal"))
    told = froodal("send_orders", 400, number=duel.number, body={"order": "P/D", "ready": "yes", "key": "now"})
    found = {each["place"]: each for each in told["problems"]}
    assert {place: each["code"] for place, each in found.items()} == {
        "orders": "missing",
        "order": "extra_forbidden",
        "ready": "bool_type",
        "key": "key",
    }
    assert (found["order"]["nearest"], found["key"]["nearest"]) == ("orders", "8.0.0")
