"""Streams for programs (Server-Sent Events): a connection with a token that stays open and says what is new.

The hub wakes a stream like the sockets of pages. What it says is up to its feed: accounts.live.event_stream says what
happened to a user, duels.api.battle_stream what one battle looks like.
"""

import asyncio
import contextlib
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar

import structlog
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as RowsError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from accounts.languages import in_language_of
from accounts.live.hub import CONNECT_SECONDS, hub
from accounts.models import ApiToken
from accounts.services.tokens import find_api_token
from operations.web.asgi import Application, Receive, Scope, Send
from operations.web.problems import refuse
from operations.web.throttle import Throttle

log = structlog.get_logger(__name__)
STREAM, PLAIN = b"text/event-stream", b"application/json"
# Open streams of one kind in one process. A user's tokens share a limit, or one user could take all streams.
MOST_OF_A_USER = 8
MOST_IN_A_PROCESS = 1000
# How many streams of one kind a user may open in a minute: each begins with a few queries.
OPENED = 120
OPENED_SECONDS = 60
# The longest silence. After it, the token is checked again, and news whose wake-up was lost are found.
BEAT_SECONDS = 20.0
# A stream ends after this time; the program connects again and misses nothing.
LIFE_SECONDS = 3600.0
# The time for a client to receive what we send.
SEND_SECONDS = 20.0
RETRY_MILLISECONDS = 2000


@dataclass(frozen=True)
class Batch:
    """What a stream sends now, each text as `write_message` writes it; and whether more is waiting, or it is all."""

    texts: Sequence[str] = ()
    has_more: bool = False
    is_last: bool = False


class Feed:
    """What one open stream says, and to whom. Its methods are called in a thread that may query."""

    # What the first line of each stream says it is, and the path that it is at.
    subject: ClassVar[str]
    address: ClassVar[re.Pattern[str]]
    # The channel that wakes it.
    channel: str
    # The id from which a program goes on if the stream breaks off before its first message, set by `begin`.
    place = ""

    def __init__(self, scope: Scope, token: ApiToken) -> None:
        self.scope, self.user_id = scope, token.user_id

    def begin(self, token: ApiToken) -> HttpResponse | None:
        """Find where to begin; return the response if there is nothing to stream."""
        raise NotImplementedError

    def read(self, token: ApiToken, *, is_woken: bool) -> Batch | None:
        """Return what is new; None if this token may not know it any longer. Without `is_woken`, nothing is known to
        have changed."""
        raise NotImplementedError


class OpenStream:
    """One open stream, as the hub knows it."""

    # It has no session.
    session_key = password = ""

    def __init__(self, user_id: int, channel: str) -> None:
        self.user_id, self.channel = user_id, channel
        self.woken = asyncio.Event()

    @classmethod
    async def wake(cls, listeners: Sequence["OpenStream"]) -> None:
        """Wake the streams on one channel."""
        for each in listeners:
            each.woken.set()

    @classmethod
    async def follow_up(cls, listeners: Sequence["OpenStream"]) -> None:
        """Send nothing more."""

    @classmethod
    async def note(cls, listeners: Sequence["OpenStream"], note: Any) -> None:
        """Wake the streams of those for whom something has changed; the rest is for pages."""
        await cls.wake([each for each in listeners if each.user_id in note.get("changed", ())])

    async def close_if_rights_ended(self) -> None:
        """Wake the stream: it checks its token whenever it reads."""
        self.woken.set()


class TokenStreams:
    """ASGI application that answers requests for one kind of stream, and leaves all others to `pages`."""

    def __init__(self, pages: Application, feed: type[Feed], *, beat_seconds: float = BEAT_SECONDS) -> None:
        self.pages, self.feed, self.beat_seconds = pages, feed, beat_seconds
        self.open: Counter[int] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not wants_stream(scope, self.feed):
            await self.pages(scope, receive, send)
            return
        try:
            token = await database_sync_to_async(self._let_in)(scope)
        except RowsError:
            token = _refuse_unavailable()
        if isinstance(token, HttpResponse):
            await _send_response(send, token)
            return
        user = token.user_id
        if self.open[user] >= MOST_OF_A_USER or self.open.total() >= MOST_IN_A_PROCESS:
            await _send_response(send, _refuse_many(token, self.feed.subject))
            return
        self.open[user] += 1
        try:
            await self._stream(receive, send, self.feed(scope, token))
        finally:
            self.open[user] -= 1
            if not self.open[user]:
                del self.open[user]

    def _let_in(self, scope: Scope) -> ApiToken | HttpResponse:
        """Return the token of a request, or a problem response."""
        token = find_token(scope)
        if token is None:
            detail = _("The stream needs a token. This one is unknown, revoked or expired.")
            answer = _refuse(HTTPStatus.UNAUTHORIZED, "token", detail)
            answer["WWW-Authenticate"] = 'Bearer error="invalid_token"'
            return answer
        with in_language_of(token.user):
            if not token.allows(ApiToken.Scope.READ):
                return refuse(HTTPStatus.FORBIDDEN, "scope", _("The stream needs a token with the scope read."))
            if Throttle(f"streams-{self.feed.subject}", OPENED, OPENED_SECONDS).count(str(token.user_id)) > OPENED:
                return _refuse_many(token, self.feed.subject)
        return token

    async def _stream(self, receive: Receive, send: Send, feed: Feed) -> None:
        # A process that stops need not wait for its end (fm_site.run.web).
        feed.scope.setdefault("state", {})["is_endless"] = True
        stream = OpenStream(feed.user_id, feed.channel)
        try:
            # Before anything is read, so that no later news is missed.
            async with asyncio.timeout(CONNECT_SECONDS):
                await hub().join(stream)
        except (OSError, RedisError) as error:  # TimeoutError is an OSError
            log.warning("no stream", error=type(error).__name__)
            detail = "Live updates are not available."
            await _send_response(send, _refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail))
            return
        gone = asyncio.ensure_future(_wait_for_end(receive))
        try:
            await self._send_news(send, stream, feed, gone)
        except TimeoutError:
            log.info("stream given up: its client does not read")
            abort = feed.scope.get("state", {}).get("abort")
            if abort is not None:
                # Otherwise the connection would stay until the last byte is read.
                abort()
                await asyncio.wait({gone}, timeout=SEND_SECONDS)
        finally:
            hub().leave(stream)
            gone.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await gone

    async def _send_news(self, send: Send, stream: OpenStream, feed: Feed, gone: "asyncio.Future[None]") -> None:
        ends_at = time.monotonic() + LIFE_SECONDS
        try:
            answer = await database_sync_to_async(_begin)(feed)
        except RowsError:
            answer = _refuse_unavailable()
        if answer is not None:
            await _send_response(send, answer)
            return
        headers = [(b"content-type", STREAM), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]
        await asyncio.wait_for(send({"type": "http.response.start", "status": 200, "headers": headers}), SEND_SECONDS)
        place = f"id: {feed.place}\n" if feed.place else ""
        await _send_text(send, f"retry: {RETRY_MILLISECONDS}\n{place}: {feed.subject} of {settings.FM_SITE_URL}\n\n")
        is_woken = True
        while not gone.done() and time.monotonic() < ends_at:
            stream.woken.clear()
            try:
                batch = await database_sync_to_async(_read)(feed, is_woken)
            except RowsError:
                log.info("stream ended: no database")
                break  # the program connects again
            if batch is None:
                break  # the token has ended, or may no longer read
            for text in batch.texts:
                await _send_text(send, text)
            if batch.is_last:
                break
            if batch.has_more:
                continue
            waking = asyncio.ensure_future(stream.woken.wait())
            both: set[asyncio.Future[Any]] = {waking, gone}
            done, _pending = await asyncio.wait(both, timeout=self.beat_seconds, return_when=asyncio.FIRST_COMPLETED)
            waking.cancel()
            is_woken = bool(done)
            if not done:
                await _send_text(send, ": still here\n\n")
        if not gone.done():
            await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), SEND_SECONDS)


def wants_stream(scope: Scope, feed: type[Feed]) -> bool:
    """Return whether a request is for the stream: without it, the same address answers with JSON."""
    if scope["type"] != "http" or scope["method"] != "GET" or not feed.address.fullmatch(scope["path"]):
        return False
    if settings.FM_HTTPS and read_header(scope, b"x-forwarded-proto") != "https" and scope.get("scheme") != "https":
        return False  # the pages redirect
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    return STREAM in accepted or PLAIN not in accepted


def find_token(scope: Scope) -> ApiToken | None:
    """Return the token of a request, if it is still good."""
    scheme, _blank, text = read_header(scope, b"authorization").partition(" ")
    return find_api_token(text=text.strip(), now=timezone.now()) if scheme.lower() == "bearer" else None


def write_message(name: str, kind: str, data: str) -> str:
    """Return something new in the format of the stream; `name` is its id, and `data` one line."""
    return f"id: {name}\nevent: {kind}\ndata: {data}\n\n"


def read_header(scope: Scope, name: bytes) -> str:
    """Return the value of a header, "" without one."""
    return next((value.decode("latin-1") for each, value in scope["headers"] if each == name), "")


def _begin(feed: Feed) -> HttpResponse | None:
    token = find_token(feed.scope)
    if token is None:
        return None  # the first reading ends the stream
    with in_language_of(token.user):
        return feed.begin(token)


def _read(feed: Feed, is_woken: bool) -> Batch | None:
    """Return what is new, if the token may still know it: it may have ended since the last time."""
    token = find_token(feed.scope)
    if token is None or not token.allows(ApiToken.Scope.READ):
        return None
    with in_language_of(token.user):
        return feed.read(token, is_woken=is_woken)


def _refuse(status: int, code: str, detail: str) -> HttpResponse:
    answer = refuse(status, code, detail)
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        answer["Retry-After"] = str(settings.FM_RETRY_AFTER_SECONDS)
    return answer


def _refuse_many(token: ApiToken, subject: str) -> HttpResponse:
    with in_language_of(token.user):
        if subject == "events":
            detail = _("There are too many open streams. Use one for all battles.")
        else:
            detail = _("There are too many open streams. Follow many battles with the stream of events.")
        return _refuse(HTTPStatus.TOO_MANY_REQUESTS, "too_many", detail)


def _refuse_unavailable() -> HttpResponse:
    return _refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", "The database is not available.")


async def _wait_for_end(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_text(send: Send, text: str) -> None:
    message = {"type": "http.response.body", "body": text.encode(), "more_body": True}
    await asyncio.wait_for(send(message), SEND_SECONDS)


async def _send_response(send: Send, response: HttpResponse) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    if response.status_code != HTTPStatus.NO_CONTENT:
        headers.append((b"content-length", str(len(response.content)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
