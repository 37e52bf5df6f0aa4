"""The cost of watching a battle, for any number of spectators, and what each of them may see."""

import threading

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.live import hub, watcher
from accounts.models import User
from duels.live import fragments
from duels.live.fragments import fragment_cache
from duels.services.orders import save_draft
from duels.wakeups import wake_watchers_on_commit
from tests.duels.sockets import run
from tests.duels.test_socket import watch
from tests.scenes import log_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_cache():
    fragment_cache.__init__()


def test_the_new_page_is_sent_only_to_people_who_are_not_logged_in(duel):
    stranger, player = watch(duel.number), watch(duel.number, duel.user("Froodal"))

    async def story():
        assert await stranger.connect()
        assert await player.connect()
        await sync_to_async(duel.turn)("P/D", "F/F")
        for socket in (stranger, player):
            assert await socket.receive_json() == {"battle": duel.number, "changed": True}
        page = {"html": ""}
        while 'data-stage="2.0.0"' not in page["html"]:
            told = await stranger.receive_json()
            page = told if "html" in told else page
        assert page["html"] == (await sync_to_async(ask)(duel)).content.decode()
        assert {"call", "story"} <= set(page["parts"])
        while not await player.receive_nothing(0.3):
            assert await player.receive_json() == {"battle": duel.number, "changed": True}
        await stranger.disconnect()
        await player.disconnect()

    run(story())


@pytest.mark.parametrize("viewers", [2, 200])
def test_a_wake_up_costs_the_same_queries_however_many_watch(duel, viewers, monkeypatch):
    from duels.live.consumers import BattleWatcher

    asked = []
    real = fragments.find_fragment

    def count(*about):
        with CaptureQueriesContext(connection) as queries:
            page = real(*about)
        asked.append(len(queries))
        return page

    monkeypatch.setattr("duels.live.consumers.find_fragment", count)
    monkeypatch.setattr(BattleWatcher, "find_refusal", nobody_is_refused)
    sockets = [watch(duel.number) for _ in range(viewers)]
    monkeypatch.setattr("fm_site.serving.socket_limits.LimitMiddleware._find_client", lambda *_: ("test", 1000))

    async def story():
        for socket in sockets:
            assert await socket.connect()
        await sync_to_async(wake_watchers_on_commit)(duel.number)
        for socket in sockets:
            assert (await socket.receive_json())["changed"]
            assert (await socket.receive_json(20))["html"]
        for socket in sockets:
            await socket.disconnect()

    run(story())
    assert len(asked) == 1
    assert asked[0] <= 20


async def nobody_is_refused(_socket):
    return None


def end_sessions_unheard(_user):
    Session.objects.all()._raw_delete("default")


def close_account_unheard(user):
    User.objects.filter(pk=user.pk).update(is_active=False)


def change_password_unheard(user):
    User.objects.filter(pk=user.pk).update(password=make_password("another one entirely"))


@pytest.mark.parametrize("act", [end_sessions_unheard, close_account_unheard, change_password_unheard])
def test_a_lost_message_closes_the_socket_at_the_next_sweep(duel, monkeypatch, act):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.2)
    user = duel.user("Froodal")
    socket = watch(duel.number, user)

    async def story():
        assert await socket.connect()
        await sync_to_async(act)(user)
        assert (await socket.receive()) == {"type": "websocket.close", "code": watcher.SESSION_ENDED}

    run(story())


def test_logging_out_on_the_page_closes_the_sockets_of_that_session_alone(duel):
    user = duel.user("Froodal")
    here, elsewhere = watch(duel.number, user), watch(duel.number, user)
    client = Client()
    client.cookies["sessionid"] = dict(here.wire.scope["headers"])[b"cookie"].decode().partition("=")[2]

    async def story():
        assert await here.connect()
        assert await elsewhere.connect()
        await sync_to_async(client.post)("/accounts/logout/")
        assert (await here.receive())["code"] == watcher.SESSION_ENDED
        await sync_to_async(wake_watchers_on_commit)(duel.number)
        assert (await elsewhere.receive_json())["changed"]
        await elsewhere.disconnect()

    run(story())


def ask(duel, client=None, **headers):
    return (client or Client()).get(f"/battles/{duel.number}/?fragment=board", headers=headers)


def test_a_fragment_that_has_not_changed_costs_one_query_and_no_bytes(duel):
    first = ask(duel)
    assert first.status_code == 200
    counts = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            again = ask(duel, **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        counts.append(len(queries))
    assert min(counts) == 1, "every few seconds the site's policy is read again, too"
    duel.order("Froodal", "P/D")
    fresh = ask(duel, **{"If-None-Match": first["ETag"]})
    assert fresh.status_code == 200
    assert fresh["ETag"] != first["ETag"]
    assert b'data-ready="Froodal"' in fresh.content


def test_simultaneous_requests_wait_for_a_single_rendering(duel, monkeypatch):
    drawn = []
    real = fragments._draw

    def draw(*about):
        drawn.append(1)
        return real(*about)

    monkeypatch.setattr(fragments, "_draw", draw)
    answers = []

    def read():
        answers.append(ask(duel).content)
        connection.close()

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawn) == 1
    assert len(answers) == 8
    assert len(set(answers)) == 1


def test_players_and_strangers_never_get_each_others_fragment(duel):
    player = log_in(duel.user("Froodal"))
    duel.order("Froodal", "S/W\nSAY for my eyes", ready=False)
    for _ in range(2):  # with nothing kept, and with the stranger's fragment kept
        mine, theirs = ask(duel, player), ask(duel)
        assert b"for my eyes" in mine.content
        assert b"for my eyes" not in theirs.content
        assert b'data-mage="Froodal"' in mine.content
        assert "ETag" not in mine


@pytest.mark.parametrize("is_warm", [False, True])
def test_no_secret_changes_a_byte_or_the_version_of_what_strangers_get(duel, is_warm):
    def look():
        if not is_warm:
            fragment_cache.__init__()
        answer = ask(duel)
        return answer.content, answer["ETag"]

    duel.order("Froodal", "P/D", ready=False)
    before = look()
    duel.order("Froodal", "S/W\nSAY hush", ready=False)
    save_draft(combatant=duel.combatant("Bung"), text="LH C\nRH C", stage=duel.key())
    assert look() == before


def test_a_fragment_of_an_unknown_battle_is_not_found(db):
    assert Client().get("/battles/4711/?fragment=board").status_code == 404


def test_each_language_has_its_own_fragment(duel):
    for language in ("de", "en", "de"):
        assert ask(duel, **{"Accept-Language": language}).status_code == 200
    assert {key[1] for key in fragment_cache._kept} == {"de", "en"}
