"""Requests whose length could be read in two ways: a proxy and the site must never disagree where the next begins."""

import pytest

from tests.services.web_server import ask
from tests.site.test_slow_clients import door, pages

__all__ = ["door", "pages"]

SMUGGLED = b"GET /admin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    ("version", "lengths"),
    [
        (b"1.1", b"Content-Length: 5\r\nTransfer-Encoding: chunked"),
        (b"1.1", b"transfer-encoding: chunked\r\ncontent-length: 5"),
        (b"1.1", b"Content-Length: 5\r\nUpgrade: websocket\r\nTransfer-Encoding: chunked"),
        (b"1.0", b"Transfer-Encoding: chunked"),
        (b"1.1", b"Content-Length: 5\r\nContent-Length: 6"),
    ],
)
def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(pages, door, version, lengths):
    request = b"POST / HTTP/%s\r\nHost: 127.0.0.1\r\n%s\r\n\r\n0\r\n\r\n%s" % (version, lengths, SMUGGLED)
    answer = ask(door, request)
    assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in answer.lower() and pages.taken == []
