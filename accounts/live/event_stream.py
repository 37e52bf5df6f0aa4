"""The stream of events (Server-Sent Events): one connection of a program for all battles and challenges of its user.

The hub wakes it like the sockets of pages. It sends the events of notifications.events: ids and links.
"""

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as RowsError
from django.http import JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from accounts.languages import in_language_of
from accounts.live.hub import CONNECT_SECONDS, hub
from accounts.models import ApiToken
from accounts.services.tokens import find_api_token
from notifications.events import SiteEvent, channel_of, find_newest, find_newest_event, is_event_id, list_events
from operations.presence import see_program
from operations.web.problems import refuse

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

log = structlog.get_logger(__name__)
PATHS = ("/api/v1/events/", "/api/events/")
STREAM, PLAIN = b"text/event-stream", b"application/json"
# Open streams in one process. A user's tokens share a limit, or one user could take all streams.
MOST_OF_A_USER = 8
MOST_IN_A_PROCESS = 1000
# The longest silence. After it, the token is checked again, and events whose wake-up was lost are found.
BEAT_SECONDS = 20.0
# A stream ends after this time; the program connects again and misses nothing.
LIFE_SECONDS = 3600.0
# The time for a client to receive what we send.
SEND_SECONDS = 20.0
RETRY_MILLISECONDS = 2000
# The number of remembered ids of sent events, so that none is sent twice.
REMEMBERED = 500


class OpenStream:
    """One open stream, as the hub knows it."""

    # It has no session.
    session_key = password = ""

    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        self.channel = channel_of(user_id)
        self.woken = asyncio.Event()

    @classmethod
    async def wake(cls, listeners: Sequence["OpenStream"]) -> None:
        """Wake the streams of one user."""
        for each in listeners:
            each.woken.set()

    @classmethod
    async def follow_up(cls, listeners: Sequence["OpenStream"]) -> None:
        """Send nothing more."""

    @classmethod
    async def note(cls, listeners: Sequence["OpenStream"], note: Any) -> None:
        """Send nothing: it is for pages."""

    async def close_if_rights_ended(self) -> None:
        """Wake the stream: it checks its token whenever it reads."""
        self.woken.set()


class EventStreams:
    """ASGI application that answers requests for the stream, and leaves all others to `pages`."""

    def __init__(self, pages: Application, *, beat_seconds: float = BEAT_SECONDS) -> None:
        self.pages, self.beat_seconds = pages, beat_seconds
        self.open: Counter[int] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not wants_stream(scope):
            await self.pages(scope, receive, send)
            return
        try:
            token = await database_sync_to_async(let_in)(scope)
        except RowsError:
            token = _refuse_unavailable()
        if isinstance(token, JsonResponse):
            await _send_response(send, token)
            return
        user = token.user_id
        if self.open[user] >= MOST_OF_A_USER or self.open.total() >= MOST_IN_A_PROCESS:
            detail = _("There are too many open streams. Use one for all battles.")
            await _send_response(send, _refuse(HTTPStatus.TOO_MANY_REQUESTS, "too_many", detail))
            return
        self.open[user] += 1
        try:
            await self._stream(scope, receive, send, token)
        finally:
            self.open[user] -= 1
            if not self.open[user]:
                del self.open[user]

    async def _stream(self, scope: Scope, receive: Receive, send: Send, token: ApiToken) -> None:
        stream = OpenStream(token.user_id)
        try:
            # Before anything is read, so that no later event is missed.
            async with asyncio.timeout(CONNECT_SECONDS):
                await hub().join(stream)
        except (OSError, RedisError) as error:  # TimeoutError is an OSError
            log.warning("no stream", error=type(error).__name__)
            detail = "Live updates are not available."
            await _send_response(send, _refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail))
            return
        gone = asyncio.ensure_future(_wait_for_end(receive))
        try:
            await self._send_events(scope, send, stream, gone)
        except TimeoutError:
            log.info("stream given up: its client does not read")
            abort = scope.get("state", {}).get("abort")
            if abort is not None:
                # Otherwise the connection would stay until the last byte is read.
                abort()
                await asyncio.wait({gone}, timeout=SEND_SECONDS)
        finally:
            hub().leave(stream)
            gone.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await gone

    async def _send_events(self, scope: Scope, send: Send, stream: OpenStream, gone: "asyncio.Future[None]") -> None:
        ends_at = time.monotonic() + LIFE_SECONDS
        headers = [(b"content-type", STREAM), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]
        start = {"type": "http.response.start", "status": 200, "headers": headers}
        try:
            after = await database_sync_to_async(_start_after)(scope)
        except RowsError:
            await _send_response(send, _refuse_unavailable())
            return
        sent = dict.fromkeys([after])
        await asyncio.wait_for(send(start), SEND_SECONDS)
        await _send_text(send, f"retry: {RETRY_MILLISECONDS}\n: events of {settings.FM_SITE_URL}\n\n")
        while not gone.done() and time.monotonic() < ends_at:
            stream.woken.clear()
            try:
                batch = await database_sync_to_async(read_more)(scope, after, tuple(sent))
            except RowsError:
                log.info("stream ended: no database")
                break  # the program connects again
            if batch is None:
                break  # the token has ended, or may no longer read
            events, has_more = batch
            for event in events:
                await _send_text(send, write_event(event))
                sent[event.id] = None
            after = find_newest(after, events)
            for old in list(sent)[:-REMEMBERED]:
                del sent[old]
            if has_more:
                continue
            waking = asyncio.ensure_future(stream.woken.wait())
            both: set[asyncio.Future[Any]] = {waking, gone}
            done, _pending = await asyncio.wait(both, timeout=self.beat_seconds, return_when=asyncio.FIRST_COMPLETED)
            waking.cancel()
            if not done:
                await _send_text(send, ": still here\n\n")
        if not gone.done():
            await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), SEND_SECONDS)


def wants_stream(scope: Scope) -> bool:
    """Return whether a request is for the stream: without it, the same address answers with JSON."""
    if scope["type"] != "http" or scope["path"] not in PATHS or scope["method"] != "GET":
        return False
    if settings.FM_HTTPS and _header(scope, b"x-forwarded-proto") != "https" and scope.get("scheme") != "https":
        return False  # the pages redirect
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    return STREAM in accepted or PLAIN not in accepted


def let_in(scope: Scope) -> ApiToken | JsonResponse:
    """Return the token of a request, or a problem response."""
    token = find_token(scope)
    if token is None:
        detail = _("The stream needs a token. This one is unknown, revoked or expired.")
        answer = _refuse(HTTPStatus.UNAUTHORIZED, "token", detail)
        answer["WWW-Authenticate"] = 'Bearer error="invalid_token"'
        return answer
    with in_language_of(token.user):
        after = _header(scope, b"last-event-id")
        if after and not is_event_id(after):
            detail = _("The last event's id must be one that the stream has sent.")
            return refuse(HTTPStatus.BAD_REQUEST, "after", detail)
        if not token.allows(ApiToken.Scope.READ):
            return refuse(HTTPStatus.FORBIDDEN, "scope", _("The stream needs a token with the scope read."))
    return token


def find_token(scope: Scope) -> ApiToken | None:
    """Return the token of a request, if it is still good."""
    scheme, _blank, text = _header(scope, b"authorization").partition(" ")
    return find_api_token(text=text.strip(), now=timezone.now()) if scheme.lower() == "bearer" else None


def _start_after(scope: Scope) -> str:
    """Return the id of the event after which to begin: the program's last one, otherwise the newest."""
    token = find_token(scope)
    return _header(scope, b"last-event-id") or (find_newest_event(user=token.user) if token else "")


def read_more(scope: Scope, after: str, known: Sequence[str]) -> tuple[list[SiteEvent], bool] | None:
    """Return the events after `after` that are not `known`, and whether there are more; None if the token may no
    longer read them. Note that the program of a bot is here."""
    token = find_token(scope)
    if token is None or not token.allows(ApiToken.Scope.READ):
        return None
    if token.user.is_bot:
        see_program(token.user_id)
    return list_events(user=token.user, after=after, known=known)


def write_event(event: SiteEvent) -> str:
    """Return an event in the format of the stream."""
    return f"id: {event.id}\nevent: {event.type}\ndata: {json.dumps(event.to_json())}\n\n"


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for each, value in scope["headers"] if each == name), "")


def _refuse(status: int, code: str, detail: str) -> JsonResponse:
    answer = refuse(status, code, detail)
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        answer["Retry-After"] = str(settings.FM_RETRY_AFTER_SECONDS)
    return answer


def _refuse_unavailable() -> JsonResponse:
    return _refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", "The database is not available.")


async def _wait_for_end(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_text(send: Send, text: str) -> None:
    message = {"type": "http.response.body", "body": text.encode(), "more_body": True}
    await asyncio.wait_for(send(message), SEND_SECONDS)


async def _send_response(send: Send, response: JsonResponse) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    headers.append((b"content-length", str(len(response.content)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
