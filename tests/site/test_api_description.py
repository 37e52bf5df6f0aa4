"""The description of the API (OpenAPI 3.1): it is valid, and every call answers as it says."""

import json
import re
import shlex
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from jsonschema import Draft202012Validator

from accounts.services.tokens import issue_api_token
from duels.paces import PACES
from duels.terms import list_rulesets
from fm_site.api import examples
from fm_site.api.routers import api
from ladder.services.refresh_ladders import refresh_ladders
from ladder.stakes import STAKES
from studies.services.analyses import analyse_next_turn
from tests.league.cups import DAY, make_cup
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db
STREAMS = {"/api/v1/events/", "/api/v1/battles/{number}/stream/"}
METHODS = {"get", "post", "put", "delete"}


@pytest.fixture(scope="module")
def described():
    return json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/")))


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


def test_the_page_names_every_call_and_loads_nothing_from_elsewhere(client, described):
    answer = client.get("/api/docs/")
    page = answer.content.decode()
    for path, method, call in calls_of(described):
        assert f'id="{call["operationId"]}"' in page and f'data-method="{method.upper()}" data-path="{path}"' in page
    assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", page)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)
    assert "script-src 'self'" in answer["Content-Security-Policy"]


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
        assert "401" in call["responses"], path
        assert call["responses"] and all(answer["description"] for answer in call["responses"].values())
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
        assert schema["description"], schema["title"]
    known = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}
    assert set(refs_in(described)) <= known


def test_the_description_names_the_site_and_what_can_be_chosen(described, settings):
    assert [server["url"] for server in described["servers"]] == [settings.FM_SITE_URL]
    kinds = described["components"]["schemas"]

    def values(kind, member):
        return set(kinds[kind]["properties"][member]["enum"])

    for kind in ("NewChallenge", "NewChange", "Wanted"):
        assert values(kind, "ruleset") == {name for name, _title in list_rulesets()}
        assert values(kind, "pace") == set(PACES)
        assert values(kind, "stakes") == {"ladder", "band", "no-gain", "friendly", "very-friendly", "bots"}
    assert values("PlayNow", "pace") == {"own", *PACES}
    for kind in ("Battle", "Challenge"):
        assert values(kind, "stakes") == set(STAKES) and values(kind, "pace") == {"own", "twoday", *PACES}
        assert "firetop-server" in values(kind, "ruleset")
    for kind in kinds.values():
        for member in kind.get("properties", {}).values():
            assert "enum" not in member or "default" not in member or member["default"] in member["enum"]


def test_every_call_has_an_example_that_it_would_accept(client, described, settings):
    page = unescape(client.get("/api/docs/").content.decode())
    kinds = {"components": described["components"]}
    names = set()
    for path, method, call in calls_of(described):
        (sample,) = call["x-codeSamples"]
        words = shlex.split(sample["source"])
        address = urlsplit(words[-1])
        assert words[-1].startswith(settings.FM_SITE_URL) and sample["source"] in page
        assert resolve(address.path).url_name, path
        for parameter in call["parameters"]:
            if parameter["in"] == "path" or parameter["name"] in parse_qs(address.query):
                Draft202012Validator({**parameter["schema"], **kinds}).validate(parameter["example"])
        assert set(parse_qs(address.query)) <= {each["name"] for each in call["parameters"]}
        if "requestBody" in call:
            media = call["requestBody"]["content"]["application/json"]
            Draft202012Validator({**media["schema"], **kinds}).validate(media["example"])
            assert json.loads(words[words.index("-d") + 1]) == media["example"]
        else:
            assert "-d" not in words and ("-X" in words) == (method != "get")
        names.add(call["operationId"])
    assert names >= set(examples.QUERIES), "an example of no call"


def test_errors_are_described_as_problems(described):
    for path, _, call in calls_of(described):
        for status, answer in call["responses"].items():
            kind = "application/problem+json" if int(status) >= 400 else "application/json"
            kinds = {kind, "text/event-stream"} if path in STREAMS and status == "200" else {kind}
            assert set(answer.get("content", dict.fromkeys(kinds))) == kinds, (path, status)


def test_calls_that_only_change_what_is_sent_have_no_defaults(described):
    members = described["components"]["schemas"]["NewChange"]["properties"]
    assert members and not [name for name, member in members.items() if "default" in member]


def test_calls_that_change_something_describe_how_a_wrong_idempotency_key_is_refused(described):
    """A malformed key is answered with 400, one of another request with 422 (fm_site.api.guard)."""
    told = {f"{method} {path}": set(call["responses"]) for path, method, call in calls_of(described) if method != "get"}
    assert {call for call, statuses in told.items() if not {"400", "422"} <= statuses} == set()


class Caller:
    """Makes calls with a token, and checks every answer against the description."""

    def __init__(self, described, user):
        self.described, self.made = described, set()
        self.token = issue_api_token(user=user, name="test", scopes=["read", "play", "bot"], now=timezone.now())[1]

    def __call__(self, name, expect=200, *, body=None, query="", **place):
        path, method, call = next(each for each in calls_of(self.described) if each[2]["operationId"] == name)
        address = path.format(**place) + query
        headers = {"Authorization": f"Bearer {self.token}"}
        more = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        answer = getattr(Client(), method)(address, headers=headers, **more)
        assert answer.status_code == expect, (name, answer.content)
        told = call["responses"][str(expect)]
        if "content" in told:
            media = told["content"][answer["Content-Type"].partition(";")[0]]
            schema = {**media["schema"], "components": self.described["components"]}
            Draft202012Validator(schema).validate(answer.json())
        else:
            assert answer.content == b""
        self.made.add(name)
        return answer.json() if answer.content else None


def test_every_call_answers_as_described(described, duel):
    froodal = Caller(described, duel.user("Froodal"))
    n = duel.number
    mage = {"name": "Froodal", "retired": False, "pronoun": "they", "busy_with": "battle", "number": n}
    mage["duels"] = []
    assert froodal("read_me")["mages"] == [mage]
    assert froodal("put_about", body={"about": "Plays at night."})["about"] == "Plays at night."
    froodal("put_about", 409, body={"about": "x" * 281})
    assert froodal("read_notices")["preset"] == "usual"
    assert froodal("put_notices", body={"preset": "quiet"})["preset"] == "quiet"
    daily = {"subject": "turns", "channel": "push", "choice": "daily"}
    told = froodal("put_notices", 422, body={"choices": [daily]})
    assert [each["place"] for each in told["problems"]] == ["choices.0"]
    froodal("put_notices", 400, body={"quiet_hours": {"begin": "25:00"}})
    assert froodal("read_own_news")["lines"] == []
    froodal("read_own_news", 400, query="?part=site")
    assert froodal("mark_own_news_read", body={}) == {"unread": 0}
    froodal("read_webhook", 404)
    told = froodal("put_webhook", 422, body={"url": "http://bot.example/"})
    assert [(each["place"], each["nearest"]) for each in told["problems"]] == [("url", "https://bot.example/")]
    assert froodal("put_webhook", body={"url": "https://bot.example/"})["secret"].startswith("whsec_")
    assert "secret" not in froodal("read_webhook")
    (hook,) = froodal("list_hooks")["hooks"]
    froodal("delete_webhook", 204)
    new = {"format": "ntfy", "name": "phone", "url": "https://ntfy.sh/phone", "events": ["turns"]}
    hook = froodal("post_hook", 201, body=new)["id"]
    froodal("post_hook", 422, body={**new, "url": "https://ntfy.sh/"})
    froodal("delete_hook", 204, hook_id=hook)
    assert [event["type"] for event in froodal("list_own_events")["events"]] == ["battle_started"]
    froodal("list_own_events", 400, query="?after=7")
    assert froodal("list_battles")["battles"][0]["battle"] == n
    assert froodal("read_battle", number=n)["orders"]["mage"] == "Froodal"
    froodal("read_battle", 404, number=4711)
    assert froodal("follow_battle", number=n) == froodal("read_battle", number=n)
    froodal("follow_battle", 404, number=4711)
    for name in ("read_battle", "follow_battle"):
        assert froodal(name, number=n, query="?mage=froodal")["orders"]["mage"] == "Froodal"
        assert froodal(name, 403, number=n, query="?mage=Bung")["code"] == "not_your_mage"
    assert froodal("read_position", number=n)["mage"] == "Froodal"
    froodal("read_position", 404, number=4711)
    froodal("send_orders", 422, number=n, body={"orders": "LH Q\nDANCE"})
    froodal("send_orders", 400, number=n, body={"order": "P/D"})
    assert froodal("surrender", number=n, body={})["lines"] == ["LH P", "RH P"]
    froodal("surrender", 400, number=n, body={"key": "now"})
    froodal("surrender", 409, number=n, body={"key": "7.0.0"})
    froodal("send_orders", number=n, body={"orders": "P/D", "ready": True, "replace": True})
    duel.order("Bung", "F/F")
    froodal("say_in_chat", number=n, body={"text": "Good luck"})
    froodal("say_in_chat", 409, number=n, body={"text": ""})
    assert [line["text"] for line in froodal("read_chat", number=n)["lines"]] == ["Good luck"]
    assert froodal("join_league", body={"mage": "Froodal"})["mage"] == "Froodal"
    assert froodal("read_leagues")["mine"] == "Froodal"
    froodal("read_league", 404, league=1)
    assert froodal("leave_league", body={})["mage"] is None
    cup = make_cup(begins_at=timezone.now() + 3 * DAY).pk
    assert froodal("list_cups")["open"][0]["places"] == 16
    assert froodal("enter_cup", cup=cup, body={"mage": "Froodal"}) == {"mage": "Froodal"}
    froodal("enter_cup", 403, cup=cup, body={"mage": "Bung"})
    assert froodal("read_cup", cup=cup)["mine"] == "Froodal"
    froodal("read_cup", 404, cup=4711)
    assert froodal("withdraw_from_cup", cup=cup, body={}) == {"mage": None}
    froodal("withdraw_from_cup", 409, cup=cup, body={})
    froodal("say_in_room", 409, body={"text": "Hello"})
    assert froodal("read_lines")["lines"] == []
    assert froodal("read_people_here")["people"] == []
    froodal("send_orders", 409, number=n, body={"orders": "D/P", "key": "1.0.0"})
    assert froodal("read_time", number=n)["extensions_left"] == 2
    froodal("take_extra_time", number=n, body={})
    froodal("give_extra_time", number=n, body={"to": "Bung", "days": 1})
    froodal("give_extra_time", 409, number=n, body={"to": "Bung", "days": 99})
    assert froodal("ask_for_pause", number=n, body={"minutes": 60}) == {"done": False}
    assert froodal("say_here", number=n, body={}) == {"missing": []}
    for act in ("call_off", "claim", "let_bot_play"):
        froodal(act, 409, number=n, body={})
    froodal("agree_on_draw", 409, number=n, body={"act": "offer"})
    assert froodal("read_draw", number=n)["from_turn"] == 5
    assert froodal("put_vacation", body={"days": 3})["until"]
    froodal("put_vacation", 409, body={"days": 99})
    assert froodal("read_own_vacation")["until"]
    assert froodal("delete_vacation")["until"] is None
    assert froodal("read_events", number=n)["events"]
    froodal("read_events", 400, number=n, query="?after=x")
    froodal("read_table", number=n)
    froodal("read_story", number=n)
    froodal("read_record", 409, number=n)
    duel.turn("S/S", "P/P")
    froodal("read_record", number=n)
    froodal("read_analysis", 404, number=n)
    assert froodal("request_analysis", 202, number=n, body={"by": "Magus"})["state"] == "waiting"
    while analyse_next_turn(now=NOW):
        pass
    assert froodal("read_analysis", number=n)["turns"]
    assert froodal("request_analysis", number=n, body={})["state"] == "done"
    froodal("ask_hint", 409, number=n, body={})
    assert froodal("read_thoughts", number=n)["thoughts"] == []
    froodal("read_proof", number=n)
    assert froodal("read_battle", number=n)["result"]
    froodal("read_events", number=n, query="?view=all")
    assert froodal("list_battles_to_watch")["battles"] == []
    assert froodal("search_finished_battles", query="?kind=melee")["battles"] == []
    told = froodal("search_finished_battles", 400, query="?since=soon")
    assert [each["place"] for each in told["problems"]] == ["since"]
    assert froodal("read_leagues")["leagues"] == []
    froodal("read_league", 404, league=1)
    told = froodal("join_league", body={"mage": "Froodal"})
    assert told["mage"] == "Froodal"
    froodal("join_league", 409, body={"mage": "Froodal"})
    froodal("join_league", 403, body={"mage": "Bung"})
    froodal("leave_league", body={})
    froodal("leave_league", 409, body={"at_once": True})
    froodal("play_now", 409, body={"strength": "Nobody"})
    froodal("read_bots")
    spare = make_mage("Spare", duel.user("Froodal"))
    made = froodal("create_challenge", 201, body={"mage": "Spare", "against": ["Bung"], "comment": "now"})
    number = made["challenge"]
    assert [(seat["mage"], seat["state"]) for seat in made["seats"]] == [("Spare", "joined"), ("Bung", "invited")]
    told = froodal("create_challenge", 422, body={"mage": "Froodal", "against": ["Bunk"]})
    assert [(each["place"], each["nearest"]) for each in told["problems"]] == [("against", "Bung")]
    froodal("create_challenge", 422, body={"mage": "Froodal", "ruleset": "chess"})
    froodal("create_challenge", 403, body={"mage": "Bung"})
    assert [each["challenge"] for each in froodal("list_challenges")["challenges"]] == [number]
    assert froodal("read_challenge", number=number)["title"]
    froodal("read_challenge", 404, number=4711)
    froodal("accept_challenge", 409, number=number, body={"mage": spare.name})
    mine = {"mage": spare.name}
    changed = froodal("propose_change", number=number, body={**mine, "comment": "soon"})
    assert changed["comment"] == "soon" and changed["changes"] == [], "nobody else has a vote"
    froodal("propose_change", 422, number=number, body={**mine, "pace": "never"})
    link = froodal("create_link", 201, number=number, body=mine)["link"]
    froodal("revoke_link", number=number, link=link)
    froodal("revoke_link", 409, number=number, link=link)
    froodal("start_challenge", 409, number=number, body=mine)
    froodal("withdraw_challenge", 403, number=number, body={"mage": "Bung"})
    froodal("withdraw_challenge", 409, number=number, body={"mage": "Froodal"})
    bung = Caller(described, duel.user("Bung"))
    assert bung("accept_challenge", number=number, body={"mage": "Bung"})["status"] == "started"
    open_to_all = bung("create_challenge", 201, body={"mage": make_mage("Otho", duel.user("Bung")).name, "limit": 3})
    joined = froodal("accept_challenge", number=open_to_all["challenge"], body={"mage": "Froodal"})
    assert joined["status"] == "open"
    voting = {"number": open_to_all["challenge"], "change": 1}
    waiting = froodal("propose_change", number=voting["number"], body={"mage": "Froodal", "pace": "day"})["changes"]
    assert [each["change"] for each in waiting] == [1]
    assert bung("oppose_change", **voting, body={"mage": "Otho"})["revision"]
    froodal("take_back_change", 409, **voting, body={"mage": "Froodal"})
    froodal("accept_change", 409, **voting, body={"mage": "Froodal"})
    froodal("decline_challenge", number=open_to_all["challenge"], body={"mage": "Froodal", "reason": "pace"})
    alone = make_mage("Lone", make_user("Lone_user"))
    lone = Caller(described, alone.user)
    assert lone("find_opponent", body={"mage": "Lone"})["status"] == "open"
    gone = bung("withdraw_challenge", number=open_to_all["challenge"], body={"mage": "Otho"})
    assert gone["status"] == "withdrawn"
    assert froodal("make_bot", 422, body={"name": "Bung"})["code"] == "not_confirmed"
    froodal("make_bot", 409, body={"name": duel.user("Froodal").username})
    new = Caller(described, make_user("Newbot"))
    assert new("make_bot", body={"name": "Newbot"}) == {"name": "Newbot", "bot": True}
    froodal.made |= new.made | bung.made | lone.made
    refresh_ladders(now=NOW)
    assert {row["mage"] for row in froodal("read_ladder", kind="duel")["places"]} >= {"Froodal", "Bung"}
    froodal("read_ladder", 404, kind="duel", query="?ruleset=chess")
    assert froodal("read_ladder", 404, kind="chess")["code"] == "no_ladder"
    assert froodal("read_ladder", 400, kind="duel", query="?after=x")["title"] == "The parameter “after” cannot be read"
    assert froodal.made >= {call["operationId"] for _, _, call in calls_of(described)}


def test_a_user_outside_the_battle_is_rejected_as_described(described, duel):
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


def test_a_body_with_too_much_or_nothing_is_not_said_to_have_the_wrong_type(described, db):
    caller = Caller(described, make_user("Programmer"))
    told = caller("create_challenge", 400, body={"mage": "Froodal", "against": ["Bung"] * 51})
    assert told["detail"] == '"against" has more than 50 entries.'
    assert caller("play_now", 400, body={"strength": ""})["detail"] == '"strength" is empty.'
