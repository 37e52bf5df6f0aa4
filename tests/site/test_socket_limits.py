"""The limits for clients on WebSockets, on a real server."""

import asyncio
import socket
import struct
import time
from collections import Counter
from contextlib import ExitStack

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connections
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from accounts.live import token_streams
from accounts.live.hub import _hubs
from accounts.services.tokens import issue_api_token
from duels.wakeups import channel_of, wake_watchers_on_commit
from fm_site.serving.socket_limits import LARGEST_FRAME, MESSAGES, FailureMiddleware, LimitMiddleware
from notifications.models import Notice
from operations.wakeups import PREFIX, RIGHTS, publish
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage
from tests.services.web_server import read_all, serve

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def door():
    from fm_site.asgi import application

    with serve(application, kernel_buffer=4096) as port:
        yield f"ws://127.0.0.1:{port}"
    # The connection of the thread in which sockets read rows: it would keep the test's database open.
    asyncio.run(sync_to_async(connections.close_all)())


def open_socket(url, **options):
    host = "/".join(url.replace("ws:", "http:").split("/")[:3])
    return connect(url, origin=host, open_timeout=10, **options)


def find_status(url):
    """The HTTP status with which a handshake is refused."""
    with pytest.raises(InvalidStatus) as refused, open_socket(url):
        pass
    return refused.value.response.status_code


@pytest.mark.parametrize("path", ["/ws/nothing/", "/ws/", "/", "/ws/battles/x/", "/ws/battles/1/%00", "/battles/1/"])
def test_an_unknown_address_is_not_found(door, path):
    assert find_status(f"{door}{path}") == 404


@pytest.mark.parametrize("number", [0, 2**31, 2**63, 10**30])
def test_an_impossible_battle_number_closes_the_socket_cleanly(door, number):
    with pytest.raises(ConnectionClosed) as closed, open_socket(f"{door}/ws/battles/{number}/") as line:
        line.recv(timeout=10)
    assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (["x" * (LARGEST_FRAME + 1)], 1009),
        ([b"x" * (LARGEST_FRAME + 1)], 1009),
        ([["x" * 2048] * 3], 1009),
        (["x"] * (MESSAGES.limit + 1), 1008),
    ],
    ids=["text", "bytes", "in fragments", "too often"],
)
def test_a_client_that_sends_too_much_is_disconnected(door, messages, code):
    number = start_fight(make_mage("Froodal"), make_mage("Bung")).number
    with pytest.raises(ConnectionClosed) as closed, open_socket(f"{door}/ws/battles/{number}/") as line:
        for message in messages:
            line.send(message)
        line.recv(timeout=10)
    assert (closed.value.rcvd.code if closed.value.rcvd else None) == code


def test_messages_of_our_pages_are_accepted(door):
    number = start_fight(make_mage("Froodal"), make_mage("Bung")).number
    with open_socket(f"{door}/ws/battles/{number}/") as line:
        for _ in range(MESSAGES.limit):
            line.send("x" * 100)
        with pytest.raises(TimeoutError):
            line.recv(timeout=0.3)


def wait_until(is_so):
    """Return when `is_so` says yes; the server notices a little later that a client has gone."""
    until = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_client_has_a_limit_of_open_sockets():
    async def open_for_ever(_scope, receive, send):
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    limited = LimitMiddleware(open_for_ever, most_of_a_network=2)
    with serve(limited) as port:
        url = f"ws://127.0.0.1:{port}/ws/x/"
        with open_socket(url), open_socket(url) as second:
            assert find_status(url) == 429
            second.close()
            wait_until(lambda: sum(limited.open.values()) == 1)
            with open_socket(url):
                assert find_status(url) == 429
        wait_until(lambda: not limited.open)


@pytest.mark.parametrize("opened", [False, True])
def test_a_failure_of_the_servers_behind_closes_the_socket_cleanly(opened):
    async def fails(_scope, receive, send):
        await receive()
        if opened:
            await send({"type": "websocket.accept"})
        raise ConnectionError("Valkey is away")

    with serve(FailureMiddleware(fails)) as port:
        url = f"ws://127.0.0.1:{port}/ws/x/"
        if not opened:
            assert find_status(url) == 503
            return
        with pytest.raises(ConnectionClosed) as closed, open_socket(url) as line:
            line.recv(timeout=10)
        assert closed.value.rcvd.code == 1013


def write_handshake(address, path, cookie=""):
    lines = [
        f"GET /{path} HTTP/1.1",
        f"Host: {address}",
        f"Origin: http://{address}",
        *(["Cookie: " + cookie] if cookie else []),
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def stop_reading(url, cookie=""):
    """Open a socket with little room for what arrives; nobody reads it."""
    address, _, path = url.removeprefix("ws://").partition("/")
    host, _, port = address.partition(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    line.connect((host, int(port)))
    line.sendall(write_handshake(address, path, cookie))
    assert line.recv(12) == b"HTTP/1.1 101"
    return line


def test_a_spectator_who_does_not_read_delays_nobody(door):
    number = start_fight(make_mage("Froodal"), make_mage("Bung")).number
    url = f"{door}/ws/battles/{number}/"
    with stop_reading(url), open_socket(url) as line:
        for _ in range(20):
            wake_watchers_on_commit(number)
            while "html" not in line.recv(timeout=5):
                pass


@pytest.mark.parametrize("message", ["nonsense", None, {"at": "soon"}])
def test_a_wake_up_that_is_not_understood_stops_no_later_one(door, message):
    number = start_fight(make_mage("Froodal"), make_mage("Bung")).number
    with open_socket(f"{door}/ws/battles/{number}/") as line:
        publish(channel_of(number), message)
        wake_watchers_on_commit(number)
        while "html" not in line.recv(timeout=5):
            pass


def test_a_socket_that_does_not_read_does_not_keep_other_ended_sockets_open(door):
    mage = make_mage("Froodal")
    number = start_fight(mage, make_mage("Bung")).number
    browser = log_in(mage.user)
    cookie = f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"
    url = f"{door}/ws/battles/{number}/"
    with ExitStack() as lines:
        for _ in range(4):
            lines.enter_context(stop_reading(url, cookie))
        reading = lines.enter_context(open_socket(url, additional_headers={"Cookie": cookie}))
        for _ in range(4000):
            publish(channel_of(number), {"at": time.time()})
        Session.objects.all().delete()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                reading.recv(timeout=5)
        assert closed.value.rcvd.code == 4401


def test_the_connection_of_a_stream_that_nobody_reads_is_closed(door, monkeypatch):
    monkeypatch.setattr(token_streams, "SEND_SECONDS", 0.5)
    user = make_mage("Froodal").user
    now = timezone.now()
    Notice.objects.bulk_create(
        Notice(key=f"message:{n}", user=user, kind="message", facts={}, created_at=now) for n in range(1000)
    )
    token = issue_api_token(user=user, name="bot", now=now)[1]
    host, _, port = door.removeprefix("ws://").partition(":")
    head = f"GET /api/v1/events/ HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        line.connect((host, int(port)))
        line.sendall(f"{head}Last-Event-ID: 1000000000-{'0' * 16}\r\n\r\n".encode())
        time.sleep(1)
        assert len(read_all(line)) < 50_000  # what the system had already; uvicorn's own 64 kB were dropped


def find_part(application, kind):
    """The part of a stack of ASGI applications that is of this kind."""
    while not isinstance(application, kind):
        application = getattr(application, "inner", None) or application.application
    return application


def reset(line):
    """Break a connection off without a word."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def test_a_storm_of_connections_that_break_off_leaves_nothing_behind(door, caplog):
    """Sockets and streams, at every stage of their beginning: what they took is given back, and the log stays short."""
    from fm_site.asgi import application

    mage = make_mage("Froodal")
    number = start_fight(mage, make_mage("Bung")).number
    browser = log_in(mage.user)
    cookie = f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"
    token = issue_api_token(user=mage.user, name="bot", now=timezone.now())[1]
    address = door.removeprefix("ws://")
    stream = [f"Authorization: Bearer {token}", "Accept: text/event-stream"]
    requests = [
        write_handshake(address, f"ws/battles/{number}/"),
        write_handshake(address, f"ws/battles/{number}/", cookie),
        write_handshake(address, "ws/battles/4711/", cookie),
        "\r\n".join(["GET /api/v1/events/ HTTP/1.1", f"Host: {address}", *stream, "", ""]).encode(),
    ]
    host, _, port = address.partition(":")
    answers = Counter()
    for number_of_round in range(3):
        lines = []
        for count in range(60):
            line = socket.create_connection((host, int(port)), timeout=10)
            line.sendall(requests[count % 4])
            lines.append(line)
            if count % 3 == number_of_round:
                reset(line)
        for line in lines:
            if line.fileno() >= 0:
                answers[line.recv(12)[9:]] += 1
        wake_watchers_on_commit(number)
        for line in lines:
            if line.fileno() >= 0:
                reset(line)
    assert {b"101", b"200", b"429"} == set(answers)
    limits = find_part(application.application_mapping["websocket"], LimitMiddleware)
    streams = application.application_mapping["http"]
    (hub,) = (each for loop, each in _hubs.items() if loop.is_running())
    until = time.monotonic() + 5
    while (limits.open or streams.open or hub.listeners or len(hub._tasks) > 2) and time.monotonic() < until:
        time.sleep(0.05)
    assert (limits.open, streams.open, dict(hub.listeners), len(hub._tasks)) == ({}, {}, {}, 2)
    # The storm also slows the writer of page stamps, which may miss one on a busy machine: that isn't the storm's log.
    assert [each.getMessage() for each in caplog.records if "page_stamps" not in each.name] == []
    assert set(hub._pubsub.channels) == {f"{PREFIX}{RIGHTS}".encode()}
