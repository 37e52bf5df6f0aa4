"""Pages with buffered requests and responses, so that page threads never wait for clients.

A body is read completely, with limits on size and time, before it takes a page thread; a response is complete and its
thread free before the first byte is sent.
"""

import asyncio
import errno
import json
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import structlog
from a2wsgi.wsgi import WSGIResponder

from operations.web.asgi import Message, Receive, Scope, Send

log = structlog.get_logger(__name__)

Wsgi = Callable[..., Iterable[bytes]]

# The time limit for a body to arrive, whatever its size.
BODY_SECONDS = 20.0
# A page that takes longer is abandoned: its thread is waiting for a database that does not answer.
PAGE_SECONDS = 20.0
# The time for a client to read a response, plus a second for every SLOWEST_BYTES.
SEND_SECONDS = 30.0
SLOWEST_BYTES = 4096
# The most requests waiting for a page thread. With more, each would wait too long.
MOST_WAITING = 1000
RETRY_AFTER_SECONDS = 10
# Bytes of a response kept in memory; longer ones, such as parts of the dump, go through a file.
KEPT_IN_MEMORY = 1_000_000
SENT_AT_ONCE = 64 * 1024
LIVE = "/health/live"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.ENOENT)

REASONS = {
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive. Please send it again.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The site is too busy to answer. Please try again in a moment.",
}


class BodyTooLarge(Exception):
    """The body is larger than any page accepts."""


class ClientGone(Exception):
    """The client closed the connection before its request was complete."""


class BufferedPages:
    """ASGI application around the WSGI application `pages`, which runs in `threads` page threads.

    `body_limit` is in bytes. A larger body is answered with 413, a slow one with 408, and a request that finds too many
    others waiting or whose page takes too long with 503 and Retry-After.
    """

    def __init__(
        self,
        pages: Wsgi,
        *,
        threads: int,
        body_limit: int,
        body_seconds: float = BODY_SECONDS,
        page_seconds: float = PAGE_SECONDS,
        send_seconds: float = SEND_SECONDS,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self.body_limit, self.body_seconds = body_limit, body_seconds
        self.page_seconds, self.send_seconds = page_seconds, send_seconds
        self.most_pages = threads + most_waiting
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self.pages = _unless_given_up(pages)
        self.running: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == LIVE and scope["method"] in ("GET", "HEAD"):
            await _send_text(send, HTTPStatus.OK, b'{"status": "live"}', scope, b"application/json")
            return
        try:
            body = await asyncio.wait_for(self._read_body(scope, receive), self.body_seconds)
        except TimeoutError:
            await self._refuse(scope, send, HTTPStatus.REQUEST_TIMEOUT)
        except BodyTooLarge:
            await self._refuse(scope, send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except ClientGone:
            pass
        else:
            # When the request was complete: from now on only the site can delay it (operations.web.arrival).
            scope["arrived_at"] = datetime.now(UTC)
            await self._answer(scope, body, send)

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes:
        if _announced_length(scope) > self.body_limit:
            raise BodyTooLarge
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            body += message.get("body", b"")
            if len(body) > self.body_limit:
                raise BodyTooLarge
            if not message.get("more_body", False):
                return bytes(body)

    async def _answer(self, scope: Scope, body: bytes, send: Send) -> None:
        if len(self.running) >= self.most_pages:
            await self._refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)
            return
        with tempfile.SpooledTemporaryFile(max_size=KEPT_IN_MEMORY) as content:
            answer = _Answer(content)
            page = asyncio.get_running_loop().create_task(self._run_page(scope, body, answer))
            self.running.add(page)
            page.add_done_callback(self._forget)
            done, _ = await asyncio.wait({page}, timeout=self.page_seconds)
            if not done:
                # The thread cannot be stopped; if it has not started yet, it will not start.
                scope["given_up"] = True
                answer.content = None
                await self._refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)
                return
            try:
                page.result()
            except OSError as error:
                # Nowhere to keep a long response (ENOENT: no folder for temporary files has room). Whatever else can
                # happen in a page, Django has answered.
                if error.errno not in NO_ROOM:
                    raise
                log.warning("no room for a long response", path=scope["path"])
                await self._refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)
                return
            if answer.start is None:
                raise RuntimeError("The page started no response.")
            await self._send(scope, answer.start, content, answer.length, send)

    def _forget(self, page: "asyncio.Task[None]") -> None:
        self.running.discard(page)
        if not page.cancelled():
            page.exception()  # retrieved, so that asyncio does not complain about an abandoned page

    async def _run_page(self, scope: Scope, body: bytes, answer: "_Answer") -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        # With an unbounded queue, the page thread never waits for the event loop either.
        await WSGIResponder(self.pages, self.executor, 0)(_with_length(scope, body), receive, answer.take)  # type: ignore[arg-type]

    async def _send(self, scope: Scope, start: Message, content: Any, length: int, send: Send) -> None:
        async def send_everything() -> None:
            await send(_with_answer_length(scope, start, length))
            content.seek(0)
            left = length
            while left > SENT_AT_ONCE:
                chunk = content.read(SENT_AT_ONCE)
                left -= len(chunk)
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": content.read(left)})

        try:
            await asyncio.wait_for(send_everything(), self.send_seconds + length / SLOWEST_BYTES)
        except TimeoutError:
            abort = scope.get("state", {}).get("abort")
            if abort is None:
                raise
            abort()

    async def _refuse(self, scope: Scope, send: Send, status: HTTPStatus) -> None:
        reason = REASONS[status]
        if scope["path"].startswith("/api/"):
            problem = {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": reason}
            await _send_text(send, status, json.dumps(problem).encode(), scope, b"application/problem+json")
        else:
            await _send_text(send, status, f"{reason}\n".encode(), scope)


class _Answer:
    """Collects a page's response."""

    def __init__(self, content: Any) -> None:
        self.start: Message | None = None
        self.content = content
        self.length = 0

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
        elif self.content is not None:
            self.content.write(message.get("body", b""))
            self.length += len(message.get("body", b""))


def _announced_length(scope: Scope) -> int:
    """Return the body's length from its header, or 0 if there is none or it is invalid."""
    text = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(text) if text.isdigit() and len(text) < 19 else 0


def _with_length(scope: Scope, body: bytes) -> Scope:
    """Return `scope` for a buffered body: the page sees its length, not its transfer encoding."""
    length_headers = (b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in length_headers]
    if body or any(name in length_headers for name, _ in scope["headers"]):
        headers.append((b"content-length", str(len(body)).encode()))
    return {**scope, "headers": headers, "buffered": scope}


def _with_answer_length(scope: Scope, start: Message, length: int) -> Message:
    """Return the start of the response with its length, which is known since it is complete."""
    has_length = any(name == b"content-length" for name, _ in start["headers"])
    if has_length or scope["method"] == "HEAD" or start["status"] in (204, 304):
        return start
    return {**start, "headers": [*start["headers"], (b"content-length", str(length).encode())]}


def _unless_given_up(pages: Wsgi) -> Wsgi:
    """Wrap `pages` to skip requests that have already been answered with 503."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["asgi.scope"]["buffered"].get("given_up"):
            start_response("503 Service Unavailable", [])
            return []
        return pages(environ, start_response)

    return answer


async def _send_text(send: Send, status: HTTPStatus, text: bytes, scope: Scope, kind: bytes = b"text/plain") -> None:
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(text)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE):
        headers.append((b"connection", b"close"))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", str(RETRY_AFTER_SECONDS).encode()))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else text})
