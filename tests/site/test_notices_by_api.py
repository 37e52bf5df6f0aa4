"""Notification choices and news by API: the same choices and lines as on the pages, and only one's own."""

import json
from typing import get_args

import pytest
from django.test import Client
from django.utils import timezone

from accounts.api_schema import NoticeName
from accounts.selectors.news import list_news
from accounts.services.messages import send_message
from accounts.services.ties import block_user, follow_user
from accounts.services.tokens import issue_api_token
from moderation.services.reports import suspend_user
from notifications.matrix import SUBJECTS
from notifications.models import Preference
from notifications.selectors.notices import preferences_of
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import NOW, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def make_program(user, scopes=("read", "play")):
    """Return a function that makes calls with a token of the user."""
    _row, token = issue_api_token(user=user, name="x", scopes=list(scopes), now=timezone.now())
    headers = {"authorization": f"Bearer {token}"}

    def call(method, address, body=None):
        more = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        return getattr(Client(), method)(f"/api/v1/{address}", headers=headers, **more)

    return call


def choose(subject, channel, choice):
    return {"subject": subject, "channel": channel, "choice": choice}


def test_the_description_names_every_subject():
    assert set(get_args(NoticeName)) == set(SUBJECTS)


def test_choices_are_those_of_the_page():
    anna = make_user("Anna")
    call = make_program(anna)
    told = call("get", "notices/").json()
    rows = {row["subject"]: row for row in told["subjects"]}
    assert told["preset"] == "usual" and list(rows) == list(SUBJECTS)
    assert rows["turns"]["title"] == "Your move"
    assert [rows["turns"][place] for place in ("page", "email", "push", "hooks")] == ["always", "on", "on", "on"]
    assert [rows["talk"][place] for place in ("page", "email", "push", "hooks")] == [None, "off", None, None]
    choices = [choose("news", "email", "daily"), choose("turns", "hooks", "off"), choose("follows", "page", "off")]
    told = call("put", "notices/", {"choices": choices, "quiet_hours": {"on": True, "begin": "21:30"}}).json()
    assert told["preset"] is None
    assert told["quiet_hours"] == {"on": True, "begin": "21:30", "end": "08:00", "time_zone": "UTC"}
    chosen = preferences_of(anna)
    keys = ("mail_news", "hook_turns", "page_follows", "quiet_hours", "quiet_from")
    assert [chosen[key] for key in keys] == ["digest", "no", "no", "yes", "21:30"]
    # A preset keeps what comes once a day, and the choices beside it come after it.
    told = call("put", "notices/", {"preset": "all", "choices": [choose("puzzles", "email", "off")]}).json()
    assert told["preset"] is None and preferences_of(anna)["mail_puzzles"] == "no"
    assert preferences_of(anna)["mail_news"] == "digest" and preferences_of(anna)["mail_talk"] == "yes"


@pytest.mark.parametrize(
    ("status", "place", "body"),
    [
        (422, "choices.1", {"choices": [choose("turns", "email", "off"), choose("turns", "page", "off")]}),
        (422, "choices.0", {"choices": [choose("seeks", "email", "daily"), choose("turns", "email", "off")]}),
        (422, "choices.0", {"choices": [choose("deadlines", "push", "off")], "preset": "quiet"}),
        (422, "quiet_hours.end", {"preset": "quiet", "quiet_hours": {"on": True, "end": "22:00"}}),
        (400, "quiet_hours.begin", {"preset": "quiet", "quiet_hours": {"begin": "22:10"}}),
        (400, "preset", {"preset": "loud"}),
        (400, "choices.0.subject", {"choices": [choose("turn", "email", "off")]}),
        (400, "mail_turns", {"mail_turns": "no"}),
    ],
)
def test_what_cannot_be_chosen_is_named_and_nothing_changes(status, place, body):
    answer = make_program(make_user("Anna"))("put", "notices/", body)
    assert (answer.status_code, [each["place"] for each in answer.json()["problems"]]) == (status, [place])
    assert not Preference.objects.exists()


@pytest.fixture
def world():
    """Anna has three lines of news, by people and by a battle."""
    anna, boris = make_user("Anna"), make_mage("Bung", "Boris").user
    follow_user(user=anna, followed=boris, now=NOW)
    start_fight(make_mage("Froodal", "Otto"), boris.mages.get()).turn("P/P", "-/-")
    for text in ("Hello", "<b>Again</b>"):
        send_message(writer=boris, reader=anna, text=text, once=text, now=timezone.now())
    return anna, boris


def test_news_are_read_in_pages_and_marked(world, monkeypatch):
    anna, _boris = world
    monkeypatch.setattr("fm_site.api.news.ON_A_PAGE", 2)
    call = make_program(anna)
    first = call("get", "news/").json()
    assert len(first["lines"]) == 2 and first["more"] is True
    assert all(line["unread"] for line in first["lines"]), "reading marks nothing"
    rest = call("get", f"news/?before={first['lines'][-1]['line']}").json()
    assert (len(rest["lines"]), rest["more"]) == (1, False)
    lines = first["lines"] + rest["lines"]
    assert [line["line"] for line in lines] == [notice.pk for notice in list_news(anna.pk)]
    assert {line["text"] for line in lines} == {"", "Hello", "<b>Again</b>"}
    (followed,) = call("get", "news/?part=followed").json()["lines"]
    assert followed["words"].startswith("Bung won Duel") and followed["url"].startswith("/battles/")
    assert call("post", "news/seen/", {"lines": [followed["line"]]}).json() == {"unread": 2}
    assert call("post", "news/seen/", {"lines": [followed["line"]]}).json() == {"unread": 2}
    assert call("post", "news/seen/", {"lines": []}).json() == {"unread": 2}
    assert call("post", "news/seen/", {}).json() == {"unread": 0}
    for query in ("part=site", "before=0", "before=x", f"before={2**63}"):
        assert call("get", f"news/?{query}").status_code == 400
    assert call("post", "news/seen/", {"lines": [2**63]}).status_code == 400


def test_nobody_reads_marks_or_chooses_for_another(world):
    anna, boris = world
    theirs = [notice.pk for notice in list_news(anna.pk)]
    call = make_program(boris)
    call("post", "news/seen/", {"lines": theirs})
    assert list_news(anna.pk).filter(is_unseen=True).count() == 3
    assert not {line["line"] for line in call("get", "news/").json()["lines"]} & set(theirs)
    reader = make_program(anna, ["read"])
    for method, address in (("put", "notices/"), ("post", "news/seen/")):
        assert reader(method, address, {}).status_code == 403
        assert getattr(Client(), method)(f"/api/v1/{address}", "{}", content_type="application/json").status_code == 401
    assert [Client().get(f"/api/v1/{address}").status_code for address in ("notices/", "news/")] == [401, 401]


def test_suspended_users_still_choose_and_mark(world):
    anna, _boris = world
    suspend_user(user=anna, by=make_janitor("Jane"), reason="Spam.", ends_at=None, now=timezone.now())
    call = make_program(anna)
    assert call("put", "notices/", {"preset": "quiet"}).json()["preset"] == "quiet"
    assert call("post", "news/seen/", {}).json() == {"unread": 0}


@pytest.mark.parametrize("who_blocks", ["the reader", "the other"])
def test_news_are_the_same_whether_or_not_someone_behind_a_block_did_something(who_blocks):
    """Two worlds: in one they won a duel, in the other they didn't."""
    anna, boris = make_user("Anna"), make_mage("Bung", "Boris").user
    follow_user(user=anna, followed=boris, now=NOW)
    pair = (anna, boris) if who_blocks == "the reader" else (boris, anna)
    call = make_program(anna)
    look = lambda: (call("get", "news/").json(), call("post", "news/seen/", {"lines": [1]}).json())  # noqa: E731
    without = look()
    start_fight(make_mage("Froodal", "Otto"), boris.mages.get()).turn("P/P", "-/-")
    assert look() != without
    block_user(user=pair[0], blocked=pair[1], now=NOW)
    assert look() == without
