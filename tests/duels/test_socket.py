"""The socket of a battle page, through the whole stack that serves it: origin, session, permission, wake-up."""

from datetime import timedelta
from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction

from accounts.services.vacations import start_vacation
from duels.live.consumers import NO_BATTLE, SESSION_ENDED
from duels.services.clocks.deadlines import process_deadlines
from duels.services.draws import offer_draw
from duels.wakeups import wake_watchers_on_commit
from operations.wakeups import breaker
from tests.duels.fights import charm_for_good, start_fight
from tests.duels.sockets import SocketClient, run
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.django_db(transaction=True)

HERE = (b"origin", b"http://testserver")


def watch(number, user=None, origin=HERE):
    """A socket of a browser in which `user` is logged in."""
    from fm_site.asgi import application

    headers = [(b"host", b"testserver"), origin]
    if user is not None:
        client = log_in(user)
        cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
        headers.append((b"cookie", cookie.encode()))
    return SocketClient(application, f"/ws/battles/{number}/", headers)


@pytest.mark.parametrize("who", ["Froodal", None])
def test_a_spectators_page_is_notified_only_that_the_battle_has_changed(duel, who):
    socket = watch(duel.number, duel.user(who) if who else None)

    async def story():
        assert await socket.connect()
        await sync_to_async(duel.order)("Bung", "P/D\nSAY between us")
        assert await socket.receive_json() == {"battle": duel.number, "changed": True}
        await socket.disconnect()

    run(story())


def test_an_offer_of_a_draw_wakes_the_pages_of_the_two_players_alone(duel):
    duel.turns([("D/-", "D/-")] * 4)
    sockets = {who: watch(duel.number, who and duel.user(who)) for who in ("Froodal", "Bung", None)}

    async def story():
        for socket in sockets.values():
            assert await socket.connect()
        offer = partial(offer_draw, combatant=await sync_to_async(duel.combatant)("Froodal"), now=NOW)
        await sync_to_async(offer)()
        for who in ("Froodal", "Bung"):
            while "changed" not in (frame := await sockets[who].receive_json()):
                assert "here" in frame
        assert await sockets[None].receive_nothing()
        for socket in sockets.values():
            await socket.disconnect()

    run(story())


def test_a_spectator_does_not_learn_that_a_mage_will_end_their_own_life():
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"), ruleset="warlocks")
    charm_for_good(fight.battle, "Ayla", by="Crom")
    socket = watch(fight.number, fight.user("Crom"))

    async def story():
        assert await socket.connect()
        await sync_to_async(fight.order)("Ayla", "LH W\nRH -")
        assert await socket.receive_json() == {"battle": fight.number, "changed": True}
        await sync_to_async(fight.order)("Ayla", "LH W\nRH -\nSUICIDE")
        assert await socket.receive_nothing()
        await socket.disconnect()

    run(story())


def pass_deadline(duel):
    process_deadlines(battle_id=duel.battle.pk, now=NOW + timedelta(days=19))


def go_away(duel):
    start_vacation(user=duel.user("Bung"), days=3, now=NOW)
    process_deadlines(battle_id=duel.battle.pk, now=NOW + timedelta(hours=1))


@pytest.mark.parametrize("happens", [pass_deadline, go_away])
def test_a_spectators_page_is_notified_of_a_clock_that_has_run_out_or_stopped(duel, happens):
    socket = watch(duel.number)

    async def story():
        assert await socket.connect()
        await sync_to_async(happens)(duel)
        assert await socket.receive_json() == {"battle": duel.number, "changed": True}
        await socket.disconnect()

    run(story())


def test_a_page_of_another_site_cannot_listen(duel):
    socket = watch(duel.number, duel.user("Froodal"), origin=(b"origin", b"https://elsewhere.example"))

    async def story():
        assert not await socket.connect()

    run(story())


def test_a_number_without_a_battle_closes_the_socket(duel):
    socket = watch(4711, duel.user("Froodal"))

    async def story():
        await socket.connect()
        assert (await socket.receive())["code"] == NO_BATTLE

    run(story())


def end_session(user):
    Session.objects.all().delete()


def switch_off(user):
    user.is_active = False
    user.save()


def change_password(user):
    user.set_password("another one entirely")
    user.save()


@pytest.mark.parametrize("act", [end_session, switch_off, change_password])
def test_a_socket_closes_by_itself_when_its_rights_end(duel, act):
    user = duel.user("Froodal")
    socket = watch(duel.number, user)

    async def story():
        assert await socket.connect()
        await sync_to_async(act)(user)
        assert (await socket.receive()) == {"type": "websocket.close", "code": SESSION_ENDED}

    run(story())


def test_a_wake_up_waits_for_the_commit_and_is_dropped_with_a_rollback(duel):
    socket = watch(duel.number)

    def change_and_take_back():
        with transaction.atomic():
            wake_watchers_on_commit(duel.number)
            transaction.set_rollback(True)

    async def story():
        assert await socket.connect()
        await sync_to_async(change_and_take_back)()
        assert await socket.receive_nothing()
        await socket.disconnect()

    run(story())


def test_thinking_wakes_nobody(duel):
    socket = watch(duel.number, duel.user("Bung"))

    async def story():
        assert await socket.connect()
        await sync_to_async(lambda: duel.order("Froodal", "P/D", ready=None))()
        await sync_to_async(lambda: duel.order("Froodal", "P/D"))()
        assert await socket.receive_json() == {"battle": duel.number, "changed": True}
        await sync_to_async(lambda: duel.order("Froodal", "S/S"))()
        assert await socket.receive_nothing()
        await socket.disconnect()

    run(story())


def test_data_from_a_page_is_ignored(duel):
    socket = watch(duel.number)

    async def story():
        assert await socket.connect()
        await socket.send(text="{not even json")
        await socket.send(bytes=b"\x00\xff")
        await sync_to_async(wake_watchers_on_commit)(duel.number)
        assert (await socket.receive_json())["changed"]
        await socket.disconnect()

    run(story())


def test_a_valkey_that_is_down_loses_no_orders(duel, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    try:
        assert duel.turn("P/D", "F/F").outcome == "resolved"
    finally:
        breaker.open_until = 0.0
