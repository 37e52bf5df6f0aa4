"""No page thread waits for a client: real sockets, and only one page thread."""

import socket
import tempfile
import threading
import time

import pytest

from fm_site.run import web
from fm_site.serving.buffered_pages import BufferedPages
from tests.services.web_server import ask, get, open_lines, post_head, read_all, serve

LARGE = 8_000_000


class Pages:
    """A WSGI application that reports the request, and how many ran at the same time."""

    def __init__(self):
        self.taken = []
        self.go_on = threading.Event()
        self.go_on.set()

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        self.taken.append((path, body))
        if path == "/slow":
            self.go_on.wait(10)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"x" * LARGE] if path == "/large" else [b"got ", body]


@pytest.fixture
def pages():
    made = Pages()
    yield made
    made.go_on.set()


@pytest.fixture
def door(pages):
    """The port of a server with one page thread."""
    with serve(BufferedPages(pages, threads=1, body_limit=1000, body_seconds=1.0, send_seconds=1.0)) as port:
        yield port


DRIPPING = {
    "nothing said": b"",
    "half a header": b"POST / HTTP/1.1\r\nHos",
    "half a body": post_head(10) + b"a",
    "a body never begun": post_head(10, "Expect: 100-continue"),
    "half a chunk": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    "half a WebSocket handshake": b"GET /ws/battles/1/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upg",
    "two pages at once, the second unfinished": get("/")[:-2].replace(b"close", b"keep-alive") + b"\r\nPOST / HT",
}


def test_a_long_response_without_room_on_the_disk_is_refused_for_now_and_short_ones_go_on(door, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    assert ask(door, get("/large")).startswith(b"HTTP/1.1 503")
    assert ask(door, get("/")).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("begin", DRIPPING.values(), ids=DRIPPING)
def test_pages_are_served_while_more_clients_send_slowly_than_there_are_threads(pages, door, begin):
    with open_lines(door, 20, begin):
        time.sleep(0.1)
        assert ask(door, get("/page"), timeout=5).endswith(b"got ")
    assert ("/page", b"") in pages.taken
    assert [body for _, body in pages.taken if body] == []


def test_pages_are_served_while_other_clients_read_slowly(pages, door):
    with open_lines(door, 5, get("/large")) as lines:
        while sum(path == "/large" for path, _ in pages.taken) < 5:
            time.sleep(0.01)
        assert ask(door, get("/page"), timeout=5).endswith(b"got ")
        # A client that reads gets everything.
        assert len(read_all(lines[0])) > LARGE


def test_a_late_body_is_rejected(pages, door):
    with open_lines(door, 1, post_head(10) + b"a") as (line,):
        assert read_all(line).startswith(b"HTTP/1.1 408 ")
    assert pages.taken == []


def test_sending_slowly_does_not_extend_the_time_for_a_body(door):
    with open_lines(door, 1, post_head(100)) as (line,):
        begin = time.monotonic()
        line.settimeout(0.2)
        answer = b""
        while not answer and time.monotonic() - begin < 8:
            line.sendall(b"a")
            try:
                answer = line.recv(100)
            except TimeoutError:
                continue
    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    "request_",
    [
        post_head(1001) + b"a" * 1001,
        post_head(10**9, "Expect: 100-continue"),
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5dc\r\n" + b"a" * 1500 + b"\r\n0\r\n\r\n",
    ],
    ids=["announced", "announced before it is sent", "chunked"],
)
def test_a_body_that_is_too_large_is_rejected_before_it_takes_a_thread(pages, door, request_):
    assert ask(door, request_).startswith(b"HTTP/1.1 413 ")
    assert pages.taken == []


def test_the_api_rejects_a_body_with_a_problem(door):
    answer = ask(door, post_head(10**6, path="/api/battles/1/orders/"))
    assert b"application/problem+json" in answer and b'"status": 413' in answer


def test_a_body_reaches_its_page_whole(door):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunked = head + b"2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
    assert ask(door, post_head(3, "Connection: close") + b"abc").endswith(b"got abc")
    assert ask(door, chunked).endswith(b"got abc")


def test_a_client_that_expects_100_continue_gets_it(door):
    with open_lines(door, 1, post_head(3, "Connection: close", "Expect: 100-continue")) as (line,):
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(b"abc")
        assert read_all(line).endswith(b"got abc")


def test_half_a_request_from_a_client_who_has_gone_does_nothing(pages, door):
    with open_lines(door, 1, post_head(10) + b"a") as (line,):
        line.shutdown(socket.SHUT_WR)
        assert read_all(line) == b""
    assert ask(door, get("/page")).endswith(b"got ")
    assert [path for path, _ in pages.taken] == ["/page"]


def test_a_connection_with_endless_headers_is_closed(pages, monkeypatch):
    monkeypatch.setattr(web, "HEADER_SECONDS", 0.5)
    with serve(BufferedPages(pages, threads=1, body_limit=10)) as port:
        for begin in (b"", b"GET / HTTP/1.1\r\nX-A: "):
            with open_lines(port, 1, begin) as (line,):
                begun = time.monotonic()
                line.settimeout(0.1)
                closed = False
                while not closed and time.monotonic() - begun < 8:
                    try:
                        if begin:
                            line.sendall(b"a")
                        closed = line.recv(1) == b""
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        closed = True
                assert closed


def test_the_next_request_on_a_connection_has_the_same_time_for_its_headers(pages, monkeypatch):
    monkeypatch.setattr(web, "HEADER_SECONDS", 0.5)
    with (
        serve(BufferedPages(pages, threads=1, body_limit=10)) as port,
        open_lines(port, 1, get().replace(b"close", b"keep-alive")) as (line,),
    ):
        answer = b""
        while not answer.endswith(b"got "):
            answer += line.recv(1000)
        line.sendall(b"GET / HT")
        assert read_all(line) == b""
    assert len(pages.taken) == 1


def test_a_page_that_takes_too_long_times_out_and_says_when_to_retry(pages):
    pages.go_on.clear()
    with serve(BufferedPages(pages, threads=1, body_limit=10, page_seconds=0.5)) as port:
        with open_lines(port, 2, get("/slow")) as lines:
            for line in lines:
                answer = read_all(line)
                assert answer.startswith(b"HTTP/1.1 503 ") and b"retry-after: " in answer
            assert ask(port, get("/health/live")).endswith(b'{"status": "live"}')
        pages.go_on.set()
        assert ask(port, get("/page")).endswith(b"got ")
    # The second never started: its client was told to send it again.
    assert [path for path, _ in pages.taken] == ["/slow", "/page"]


def test_a_full_queue_rejects_the_next_request_at_once(pages):
    pages.go_on.clear()
    door = BufferedPages(pages, threads=1, body_limit=10, most_waiting=2)
    with serve(door) as port, open_lines(port, 3, get("/slow")) as lines:
        while len(door.running) < 3:
            time.sleep(0.01)
        assert ask(port, get("/page")).startswith(b"HTTP/1.1 503 ")
        pages.go_on.set()
        assert all(read_all(line).endswith(b"got ") for line in lines)


def test_more_connections_than_allowed_are_closed_at_once(pages, monkeypatch):
    monkeypatch.setattr(web, "most_connections", lambda: 3)
    with serve(BufferedPages(pages, threads=1, body_limit=10)) as port:
        with open_lines(port, 3):
            time.sleep(0.1)
            with pytest.raises(OSError), open_lines(port, 1, get()) as (line,):
                if read_all(line) == b"":
                    raise ConnectionError
        time.sleep(0.1)
        assert ask(port, get()).endswith(b"got ")
