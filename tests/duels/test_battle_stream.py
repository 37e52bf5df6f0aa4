"""The stream of one battle: each state as its reader may see it, none lost in a break, and the end with the battle."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from accounts.live.token_streams import MOST_OF_A_USER, OPENED, TokenStreams
from accounts.models import ApiToken
from accounts.services.tokens import issue_api_token, revoke_api_token
from duels.api.battle_stream import BattleFeed
from duels.models import Battle
from tests.accounts.streams import Stream, no_page
from tests.duels.sockets import run
from tests.duels.test_socket import watch
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def token_of(user):
    return issue_api_token(user=user, name="test", scopes=[ApiToken.Scope.READ], now=timezone.now())[1]


def follow(number, text, *, last="", app=None, **more):
    app = app or TokenStreams(no_page, BattleFeed, **more)
    return Stream(app, text, last, f"/api/v1/battles/{number}/stream/")


def read(number, text):
    """What the call for one battle says now."""
    return Client().get(f"/api/v1/battles/{number}/", headers={"Authorization": f"Bearer {text}"}).json()


def test_it_tells_each_state_once_and_ends_with_the_battle(duel):
    froodal = token_of(duel.user("Froodal"))
    n = duel.number

    async def story():
        page, stream = watch(n), follow(n, froodal)
        assert await page.connect() and await stream.open() == 200
        first = await stream.message()
        assert (first["event"], first["data"]) == ("state", await sync_to_async(read)(n, froodal))
        assert [each["mage"] for each in first["data"]["orders"]["questions"]][:1] == ["Froodal"]
        await sync_to_async(duel.order)("Bung", "P/D")
        # A page of the same battle is woken too.
        assert await page.receive_json() == {"battle": n, "changed": True}
        ready = await stream.message()
        assert ready["data"]["waiting_for"] == ["Froodal"] and ready["id"] != first["id"]
        await sync_to_async(duel.order)("Froodal", "F/S")
        resolved = await stream.message()
        while resolved["data"]["turn"] != "2":
            resolved = await stream.message()
        assert resolved["data"] == await sync_to_async(read)(n, froodal)
        assert await stream.is_silent()
        await stream.close()
        # While the program is away, the battle changes twice: it gets the last state, and then the end.
        await sync_to_async(duel.turn)("S/S", "F/F")
        again = follow(n, froodal, last=resolved["id"])
        await again.open()
        later = await again.message()
        assert later["data"]["turn"] == "3"
        await sync_to_async(duel.turn)("S/S", "P/P")
        last = await again.message()
        while last["data"]["status"] == "running":
            last = await again.message()
        assert last["data"]["result"] and await again.ends()
        assert await follow(n, froodal, last=last["id"]).open() == 204
        late = follow(n, froodal)
        assert (await late.open(), (await late.message())["id"]) == (200, last["id"])
        assert await late.ends()
        await page.disconnect()

    run(story(), seconds=40)


def test_others_get_what_the_page_gives_them_and_nothing_when_only_orders_change(duel):
    stranger, bung = token_of(make_user("Stranger")), token_of(duel.user("Bung"))
    n = duel.number

    async def story():
        streams = {text: follow(n, text) for text in (stranger, bung)}
        states = {}
        for text, stream in streams.items():
            await stream.open()
            states[text] = (await stream.message())["data"]
            assert states[text] == await sync_to_async(read)(n, text)
        assert (states[stranger]["you"], states[stranger]["orders"]) == ([], None)
        assert states[bung]["orders"]["mage"] == "Bung"
        await sync_to_async(duel.order)("Froodal", "P/D", ready=False)
        assert all([await each.is_silent() for each in streams.values()])
        for stream in streams.values():
            await stream.close()

    run(story(), seconds=40)


def test_a_change_whose_wake_up_was_lost_is_found_and_an_ended_token_tells_nothing(duel):
    user = duel.user("Froodal")
    (token, text), other = issue_api_token(user=user, name="test", now=timezone.now()), token_of(duel.user("Bung"))

    async def story():
        stream, ended = follow(duel.number, other, beat_seconds=0.2), follow(duel.number, text)
        for each in (stream, ended):
            await each.open()
            await each.message()
        await sync_to_async(revoke_api_token)(user=user, token_id=token.pk)
        assert await ended.ends()
        annul = Battle.objects.filter(number=duel.number).update
        await sync_to_async(annul)(status=Battle.Status.ANNULLED, finished_at=NOW)
        assert (await stream.message())["data"]["status"] == "annulled" and await stream.ends()

    run(story(), seconds=40)


def test_it_is_refused_without_a_token_for_no_battle_and_beyond_the_most(duel):
    text = token_of(make_mage("Watcher").user)

    async def story():
        app = TokenStreams(no_page, BattleFeed)
        assert await follow(duel.number, "fm_nonsense").open() == 401
        assert await follow(4711, text).open() == 404
        path = f"/api/v1/battles/{duel.number}/stream/?mage=Froodal"
        assert await Stream(TokenStreams(no_page, BattleFeed), text, "", path).open() == 403
        streams = [follow(duel.number, text, app=app) for _ in range(MOST_OF_A_USER + 1)]
        assert [await each.open() for each in streams] == [200] * MOST_OF_A_USER + [429]
        await asyncio.gather(*(each.close() for each in streams[:-1]))
        assert not app.open
        statuses = [await follow(4711, text).open() for _ in range(OPENED - MOST_OF_A_USER - 1)]
        assert (statuses[0], statuses[-1]) == (404, 429)

    run(story(), seconds=40)
