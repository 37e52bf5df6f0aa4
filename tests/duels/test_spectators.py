"""Spectators' pages are counted, without players and without names; boards elsewhere hear only of changes."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.live import open_pages as counted
from duels.selectors.spectators import EXHIBITION, count_spectators, count_watchers_of_exhibition, place_of_battle
from duels.wakeups import wake_boards_on_commit
from operations import presence
from operations.presence import count_pages, see_pages
from tests.duels.sockets import SocketClient, run
from tests.duels.test_socket import HERE, watch
from tests.scenes import make_user

pytestmark = pytest.mark.django_db(transaction=True)


def watch_board(number):
    from fm_site.asgi import application

    return SocketClient(application, f"/ws/boards/{number}/", [(b"host", b"testserver"), HERE])


count = sync_to_async(lambda number: count_spectators([number])[number])


def test_spectators_are_counted_while_their_pages_are_open_and_players_never(duel):
    froodal, fan, stranger = (
        watch(duel.number, duel.user("Froodal")),
        watch(duel.number, make_user("Fanny")),
        watch(duel.number),
    )

    async def story():
        assert await froodal.connect()
        assert await count(duel.number) == 0
        assert await fan.connect() and await stranger.connect()
        assert await count(duel.number) == 2
        await fan.disconnect()
        assert await count(duel.number) == 1
        await stranger.disconnect()
        assert await count(duel.number) == 0
        await froodal.disconnect()

    run(story())


def test_a_socket_that_is_refused_is_not_counted(duel):
    nowhere = watch(duel.number + 99)

    async def story():
        await nowhere.connect()
        assert await count(duel.number + 99) == 0
        await nowhere.disconnect()

    run(story())


def test_a_page_that_is_not_seen_again_is_forgotten_after_a_minute(monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(presence.time, "time", lambda: clock[0])
    see_pages({"somewhere": ["one", "other"]})
    clock[0] += 59
    see_pages({"somewhere": ["other"]})
    assert count_pages(["somewhere"]) == {"somewhere": 2}
    clock[0] += 2
    assert count_pages(["somewhere"]) == {"somewhere": 1}
    clock[0] += 60
    assert count_pages(["somewhere", "elsewhere"]) == {"somewhere": 0, "elsewhere": 0}


def test_open_pages_are_renewed_by_one_message_and_no_query(monkeypatch):
    sent = []
    monkeypatch.setattr(counted, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(counted, "see_pages", lambda pages: sent.append({place: len(pages[place]) for place in pages}))

    async def story():
        pages = counted.open_pages()
        names = [await pages.open(place_of_battle(each % 50)) for each in range(200)]
        sent.clear()
        await asyncio.sleep(0.2)
        assert sent and all(renewed == dict.fromkeys(map(place_of_battle, range(50)), 4) for renewed in sent)
        for each, name in enumerate(names):
            await pages.close(place_of_battle(each % 50), name)

    with CaptureQueriesContext(connection) as context:
        run(story())
    assert len(context) == 0


def test_without_valkey_nobody_is_counted_and_nothing_fails(settings, duel):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    try:
        see_pages({place_of_battle(duel.number): ["a page"]})
        assert count_spectators([duel.number]) == {duel.number: 0}
    finally:
        presence.breaker.open_until = 0.0


def test_a_board_elsewhere_hears_that_the_battle_changed_and_nothing_more(duel):
    board = watch_board(duel.number)

    async def story():
        assert await board.connect()
        assert await count(duel.number) == 0
        await sync_to_async(duel.order)("Bung", "P/D\nSAY between us")
        assert await board.receive_json() == {"board": duel.number, "changed": True}
        await board.disconnect()

    run(story())


def test_boards_that_show_the_exhibition_or_wait_for_one_keep_it_going(db):
    board = watch_board(EXHIBITION)

    async def story():
        assert await sync_to_async(count_watchers_of_exhibition)() == 0
        assert await board.connect()
        assert await sync_to_async(count_watchers_of_exhibition)() == 1
        await sync_to_async(wake_boards_on_commit)(EXHIBITION)
        assert await board.receive_json() == {"board": EXHIBITION, "changed": True}
        await board.disconnect()
        assert await sync_to_async(count_watchers_of_exhibition)() == 0

    run(story())
