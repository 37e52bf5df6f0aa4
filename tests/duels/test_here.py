"""Players see which of the other players have the page open; spectators learn nothing of it."""

import pytest

from tests.duels.sockets import run
from tests.duels.test_socket import watch
from tests.scenes import make_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_player_whose_page_is_hidden_is_not_here(duel):
    froodal, bung = watch(duel.number, duel.user("Froodal")), watch(duel.number, duel.user("Bung"))

    async def story():
        assert await froodal.connect() and await bung.connect()
        assert (await froodal.receive_json())["here"] == ["Bung"]
        await bung.send(text="hidden")
        assert (await froodal.receive_json())["here"] == []
        await bung.send(text="anything")
        await bung.send(text="visible")
        assert (await froodal.receive_json())["here"] == ["Bung"]
        for socket in (froodal, bung):
            await socket.disconnect()

    run(story())


def test_the_players_see_each_other_come_and_go_and_spectators_do_not(duel):
    froodal, bung = watch(duel.number, duel.user("Froodal")), watch(duel.number, duel.user("Bung"))
    second, fan, stranger = (
        watch(duel.number, duel.user("Bung")),
        watch(duel.number, make_user("Fanny")),
        watch(duel.number),
    )

    async def story():
        for socket in (fan, stranger, froodal):
            assert await socket.connect()
        assert await froodal.receive_nothing()
        assert await bung.connect()
        assert await froodal.receive_json() == {"battle": duel.number, "here": ["Bung"]}
        assert await bung.receive_json() == {"battle": duel.number, "here": ["Froodal"]}
        # A second page of the same player changes nothing, opened or closed.
        assert await second.connect()
        assert await second.receive_json() == {"battle": duel.number, "here": ["Froodal"]}
        await second.disconnect()
        assert await froodal.receive_nothing()
        await bung.disconnect()
        assert await froodal.receive_json() == {"battle": duel.number, "here": []}
        assert await fan.receive_nothing() and await stranger.receive_nothing()
        for socket in (froodal, fan, stranger):
            await socket.disconnect()

    run(story())
