"""With Valkey dead, hung or restarted: people log in, play and write as before, and the limits still count."""

import asyncio
import contextvars
import os
import signal

import pytest
from django.core.cache import cache, caches
from django.test import Client, override_settings
from django.utils import timezone

from accounts.services.users import create_user
from fm_site.serving import resilient_cache
from operations import wakeups, workers
from operations.web.throttle import Throttle, TooManyAttempts
from tests.duels.fights import start_fight
from tests.duels.sockets import SocketClient
from tests.scenes import make_mage
from tests.services.scratch import make_scratch_folder
from tests.services.valkey import ValkeyServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
STATES = ("dead", "hung")


@pytest.fixture
def valkey():
    """A separate Valkey for this test, which the cache, the sockets and the tasks use."""
    from django.conf import settings

    server = ValkeyServer(make_scratch_folder())
    server.start()
    place = settings.CACHES["default"] | {"LOCATION": server.url}
    breakers = (resilient_cache.breaker, wakeups.breaker, workers.breaker)
    with override_settings(CACHES={"default": place}, REDIS_URL=server.url):
        caches.close_all()
        yield server
        for breaker in breakers:
            breaker.open_until = 0.0
        caches.close_all()
    try:
        os.kill(server.process.pid, signal.SIGCONT)
        server.stop()
    except ProcessLookupError:
        pass


def test_requests_share_the_connections_to_valkey(valkey):
    def find_client():
        return caches["default"], caches["default"]._cache

    # Each request has a context of its own, for which Django makes a cache.
    (one, first), (other, second) = (contextvars.Context().run(find_client) for _request in range(2))
    assert one is not other and first is second


def take_away(server, state):
    if state == "dead":
        server.stop()
    else:
        os.kill(server.process.pid, signal.SIGSTOP)


@pytest.mark.parametrize("state", STATES)
def test_people_log_in_reset_passwords_and_play_without_valkey(valkey, state):
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    create_user(
        name="Anna", email="anna@example.org", password="open sesame 7", email_verified=True, now=timezone.now()
    )
    take_away(valkey, state)
    client = Client(raise_request_exception=False)
    told = {
        "log in": client.post("/accounts/login/", {"login": "Anna", "password": "open sesame 7"}),
        "home": client.get("/"),
        "battle": client.get(f"/battles/{duel.number}/"),
        "reset": Client(raise_request_exception=False).post("/accounts/password/reset/", {"email": "anna@example.org"}),
        "code": Client(raise_request_exception=False).post("/accounts/login/code/", {"email": "anna@example.org"}),
        "sign up": Client(raise_request_exception=False).post(
            "/accounts/signup/", {"username": "Boris", "email": "boris@example.org", "password1": "open sesame 8"}
        ),
        "ready": client.get("/health/ready"),
    }
    assert {name: answer.status_code for name, answer in told.items()} == {
        "log in": 302,
        "home": 200,
        "battle": 200,
        "reset": 302,
        "code": 302,
        "sign up": 302,
        "ready": 200,
    }
    assert told["ready"].json()["checks"]["broker"]["status"] == "warn"
    player = Client(raise_request_exception=False)
    player.force_login(duel.user("Froodal"))
    orders = {"orders": "LH P\nRH D\nEND"}
    answer = player.post(f"/api/battles/{duel.number}/orders/", orders, content_type="application/json")
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("state", STATES)
def test_limits_still_apply_and_valkey_is_used_again_when_it_is_back(valkey, state):
    limit = Throttle("test", 2, 60)
    take_away(valkey, state)
    for _ in range(2):
        limit.check("somebody")
        limit.count("somebody")
    with pytest.raises(TooManyAttempts):
        limit.check("somebody")
    if state == "dead":
        valkey.start()
    else:
        os.kill(valkey.process.pid, signal.SIGCONT)
    resilient_cache.breaker.open_until = 0.0
    cache.set("mark", "here", 60)
    assert cache.ping() and cache._cache.get_client().exists("fm:1:mark")


def test_no_number_of_attempts_is_kept_forever_whenever_a_process_dies(valkey, monkeypatch):
    def die(*_arguments):
        raise ConnectionError

    monkeypatch.setattr("redis.Redis.expire", die)
    limit = Throttle("test", 2, 60)
    limit.count("somebody")
    client = cache._cache.get_client()
    assert [0 < client.ttl(key) <= 60 for key in client.scan_iter("*throttle:test:*")] == [True]


@pytest.mark.parametrize("state", STATES)
def test_a_socket_is_rejected_instead_of_hanging(valkey, state):
    from fm_site.asgi import application

    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    take_away(valkey, state)
    socket = SocketClient(
        application, f"/ws/battles/{duel.number}/", [(b"host", b"testserver"), (b"origin", b"http://testserver")]
    )
    socket.wire.scope["extensions"] = {"websocket.http.response": {}}

    async def story():
        await socket.wire.send_input({"type": "websocket.connect"})
        return await socket.receive(timeout=15)

    answer = asyncio.run(story())
    assert answer["type"] == "websocket.http.response.start" and answer["status"] == 503
    assert (b"retry-after", b"10") in answer["headers"]
