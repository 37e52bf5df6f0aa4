"""The socket of a challenge's page: it says only that something changed."""

import pytest
from asgiref.sync import sync_to_async

from accounts.live.watcher import NOTHING_THERE
from challenges.services.answers import accept_challenge
from challenges.services.proposals import propose_change
from tests.challenges.conftest import make_challenge
from tests.duels.sockets import SocketClient, run
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db(transaction=True)


def watch(number):
    from fm_site.asgi import application

    headers = [(b"host", b"testserver"), (b"origin", b"http://testserver")]
    return SocketClient(application, f"/ws/challenges/{number}/", headers)


def test_a_seat_and_a_proposal_wake_the_page_with_only_the_number(froodal, bung):
    challenge = make_challenge(froodal, limit=4)
    number = challenge.number

    async def story():
        socket = watch(number)
        assert await socket.connect()
        await sync_to_async(accept_challenge)(number=number, mage=bung, now=NOW)
        assert await socket.receive_json() == {"challenge": number, "changed": True}
        await sync_to_async(propose_change)(number=number, mage=bung, change={"limit": 3}, now=NOW)
        assert await socket.receive_json() == {"challenge": number, "changed": True}
        await socket.disconnect()

    run(story())


def test_rejected_orders_and_other_challenges_wake_nobody(froodal, bung):
    challenge, other = make_challenge(froodal, limit=4), make_challenge(make_mage("Crom"), limit=4)

    async def story():
        socket = watch(challenge.number)
        assert await socket.connect()
        await sync_to_async(accept_challenge)(number=other.number, mage=bung, now=NOW)
        with pytest.raises(Exception, match="has already joined"):
            await sync_to_async(accept_challenge)(number=challenge.number, mage=froodal, now=NOW)
        assert await socket.receive_nothing()
        await socket.disconnect()

    run(story())


def test_an_unknown_challenge_has_no_socket(db):
    async def story():
        socket = watch(4711)
        await socket.connect()
        assert (await socket.receive())["code"] == NOTHING_THERE

    run(story())
