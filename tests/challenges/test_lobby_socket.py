"""The sockets of the lobby: what changed, as each reader may see it, with no query for each page."""

from html import unescape

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from accounts.services.ties import block_user
from accounts.services.users import create_guest
from challenges import live_lobby
from challenges.live_lobby import LobbyWatcher
from challenges.models import RoomLine
from challenges.selectors.lobby import read_lobby
from challenges.services.answers import accept_challenge
from challenges.services.room import take_down_line, write_line
from operations import presence
from operations.presence import list_people, see_people
from tests.challenges.test_lobby import end_of_all_battles, make_player, seek
from tests.challenges.test_room import make_writers
from tests.duels.fights import start_fight
from tests.duels.sockets import SocketClient, run
from tests.duels.test_socket import HERE, watch
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nobody_here(monkeypatch):
    cache.clear()
    presence._connect(presence.settings.REDIS_URL).flushdb()
    monkeypatch.setattr(live_lobby, "READ_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(live_lobby, "FRESH_SECONDS", 0.0)


def enter(user=None, *, query=""):
    """The socket of a lobby's page that `user` has open."""
    from fm_site.asgi import application

    headers = [(b"host", b"testserver"), HERE]
    if user is not None:
        cookie = log_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
    return SocketClient(application, f"/ws/lobby/{query}", headers)


async def wait_for(socket, part, words):
    """Return the first message in which this part has a row with these words."""
    while True:
        message = await socket.receive_json()
        if any(words in unescape(row) for row in message.get(part, {}).get("rows", {}).values()):
            return message


def test_a_page_gets_the_lobby_and_then_only_what_changed():
    anna, boris = make_writers("Anna", "Boris")
    socket = enter(anna)

    async def story():
        assert await socket.connect()
        whole = await socket.receive_json()
        assert set(whole) >= {"own", "seeks", "here", "lines", "count"}
        await sync_to_async(say)(boris, "Anyone here?")
        message = await wait_for(socket, "lines", "Anyone here?")
        assert set(message) <= {"lines", "here", "count"} and len(message["lines"]["order"]) == 1
        await sync_to_async(say)(boris, "Hello?")
        message = await wait_for(socket, "lines", "Hello?")
        assert len(message["lines"]["order"]) == 2 and len(message["lines"]["rows"]) == 1
        await sync_to_async(remove_last)(boris)
        while "lines" not in (message := await socket.receive_json()):
            pass
        assert len(message["lines"]["order"]) == 1 and not message["lines"]["rows"]
        await socket.disconnect()

    run(story())


def say(writer, text):
    once = f"{RoomLine.objects.count()}"
    write_line(writer=writer, text=text, via=RoomLine.Via.PAGE, once=once, now=timezone.now())


def remove_last(writer):
    take_down_line(line=RoomLine.objects.latest("pk"), by=writer, now=timezone.now())


def test_a_seek_comes_and_goes_and_who_waits_learns_that_it_began():
    anna, boris = make_player("Anna"), make_player("Boris")
    sockets, mage = [enter(anna), enter(boris), enter()], anna.mages.get()

    async def story():
        for socket in sockets:
            assert await socket.connect()
        challenge = await sync_to_async(seek)(boris)
        number = str(challenge.number)
        message = await wait_for(sockets[0], "seeks", "Borism")
        assert message["seeks"]["order"] == [number]
        await wait_for(sockets[1], "own", "Borism is looking for a duel.")
        await wait_for(sockets[2], "seeks", "Borism")
        await sync_to_async(accept_challenge)(number=challenge.number, mage=mage, now=timezone.now())
        for socket, part in zip(sockets, ("seeks", "own", "seeks"), strict=True):
            while (await socket.receive_json()).get(part, {}).get("order") != []:
                pass
            await socket.disconnect()

    run(story())


def test_nothing_comes_of_people_behind_a_block_nor_of_anyone_to_strangers():
    """Two worlds: what Boris does is not in one byte that Anna's page gets, nor does it make a sound there."""
    anna, boris = make_writers("Anna", "Boris")
    block_user(user=boris, blocked=anna, now=timezone.now())
    block_user(user=anna, blocked=boris, now=timezone.now())
    sockets, his = [enter(anna), enter(), enter(create_guest(now=timezone.now()))], enter(boris)

    async def story():
        for socket in sockets:
            assert await socket.connect()
            await socket.receive_json()
            # The others may be here by now.
            while not await socket.receive_nothing(0.3):
                await socket.receive()
        assert await his.connect()
        await sync_to_async(seek_again)(boris)
        assert await sockets[0].receive_nothing(1)
        for socket in sockets[1:]:
            message = await wait_for(socket, "seeks", "Boriss")
            assert "here" not in message and "count" not in message
        await sync_to_async(say)(boris, "Hello, all but one")
        await wait_for(sockets[1], "lines", "all but one")
        assert await sockets[0].receive_nothing(1)
        for socket in (*sockets, his):
            await socket.disconnect()

    run(story())


def seek_again(user):
    end_of_all_battles()
    return seek(user)


def test_any_open_page_of_a_user_counts_and_none_of_a_guest():
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    player, guest = make_player("Anna"), create_guest(now=timezone.now())
    presence._connect(presence.settings.REDIS_URL).flushdb()
    sockets = [watch(duel.number, user) for user in (player, guest, None)]

    async def story():
        for socket in sockets:
            assert await socket.connect()
            await socket.disconnect()

    run(story())
    assert list_people() == {player.pk: True}
    log_in(User.objects.get(username="Bung_user")).get("/waiting/")
    assert set(list_people()) == {player.pk, duel.user("Bung").pk}


@pytest.mark.parametrize(("query", "words"), [("?language=de", "Duell"), ("?language=xx", "Duel"), ("", "Duel")])
def test_a_page_gets_rows_in_the_language_that_it_names(query, words):
    boris, socket = make_player("Boris"), enter(query=query)

    async def story():
        assert await socket.connect()
        await sync_to_async(seek)(boris)
        await wait_for(socket, "seeks", f"{words}</b>")
        await socket.disconnect()

    run(story())


@pytest.mark.parametrize("pages", [2, 40])
def test_the_number_of_queries_does_not_depend_on_the_number_of_pages(pages):
    since = timezone.now()
    make_player("Boris")
    users = User.objects.bulk_create(
        User(username=f"crowd{number:03}", created_at=since, last_active_at=since) for number in range(pages)
    )
    RoomLine.objects.bulk_create(RoomLine(writer=each, text="x", once="1", written_at=since) for each in users)
    see_people([each.pk for each in users])
    sockets = []
    for user in users:
        socket = LobbyWatcher()
        socket.scope = {"user": user, "headers": []}
        sockets.append(socket)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        lobby = read_lobby(now=timezone.now())
        drawn = live_lobby._draw_for_all(sockets, lobby)
    assert len(drawn) == pages
    assert len(seen) <= 14, [query["sql"][:100] for query in seen]


def test_without_valkey_the_lobby_is_a_page_without_people(monkeypatch):
    anna = make_player("Anna")
    make_player("Boris")
    client = log_in(anna)
    monkeypatch.setattr(presence.breaker, "open_until", float("inf"))
    page = client.get("/lobby/")
    assert page.status_code == 200 and "Nobody else is here." in page.content.decode()
