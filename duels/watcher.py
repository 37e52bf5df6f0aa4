"""WebSockets that tell a page that something has changed.

A process has one subscription for all its sockets (Hub). Access is checked when a socket opens; when rights end, a
message closes it (fm_site.operations.push.RIGHTS), and a sweep finds sockets whose message was lost. So a wake-up
costs no query, however many watch.
"""

import asyncio
import contextlib
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import redis.asyncio
import structlog
from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from redis.exceptions import RedisError

from fm_site.operations.metrics import PUSH_DELAY
from fm_site.operations.push import PREFIX, RIGHTS, mark_session

log = structlog.get_logger(__name__)

# Codes of our own for a closed socket (4000-4999 are free for applications).
NOTHING_THERE = 4404
SESSION_ENDED = 4401
# If Valkey does not answer within this time, the socket is refused and the page retries.
CONNECT_SECONDS = 3
# How often the rights of all open sockets are checked, in case a message was lost.
SWEEP_SECONDS = 60
# How long all wait for a client that reads slowly. It may take longer to get its own message
# (fm_site.socket_limits.SEND_SECONDS).
SLOW_SECONDS = 1.0


class Watcher(AsyncWebsocketConsumer):  # type: ignore[misc]
    """The socket of one page that watches one numbered object. Anything the page sends is ignored."""

    number: int

    @staticmethod
    def channel_of(number: int) -> str:
        """Return the name of the channel for watchers of `number`."""
        raise NotImplementedError

    def look_up(self) -> bool:
        """Return whether the object exists."""
        raise NotImplementedError

    def write_frame(self) -> dict[str, Any]:
        """Return the message of a wake-up: the same for every page that watches this."""
        raise NotImplementedError

    @classmethod
    async def tell(cls, sockets: Sequence["Watcher"]) -> None:
        """Tell the watchers of one object that it has changed."""
        await cls.send_all(sockets, json.dumps(sockets[0].write_frame()))

    @classmethod
    async def follow_up(cls, sockets: Sequence["Watcher"]) -> None:
        """Send more after a wake-up to the watchers of one object."""

    @classmethod
    async def note(cls, sockets: Sequence["Watcher"], note: dict[str, Any]) -> None:
        """Tell the people concerned about a related change; the object itself hasn't changed."""

    async def connect(self) -> None:
        self.number = self.scope["url_route"]["kwargs"]["number"]
        # Before anything is checked or accepted, so that no later event is missed.
        async with asyncio.timeout(CONNECT_SECONDS):
            await hub().join(self)
        try:
            refusal = await self.why_not()
            if refusal is not None:
                hub().leave(self)
            await self.accept()
        except BaseException:  # the database or the client is gone: nobody will say goodbye
            hub().leave(self)
            raise
        if refusal is not None:
            await self.close(refusal)

    async def disconnect(self, code: int) -> None:
        hub().leave(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Ignore the data: orders go through the page or the API."""

    @property
    def channel(self) -> str:
        return self.channel_of(self.number)

    @property
    def user_id(self) -> int | None:
        """The user who is logged in, if anyone is."""
        return self.scope["user"].pk or None

    @property
    def session_key(self) -> str:
        """The key of the session behind the socket; "" for someone who is not logged in."""
        return self.scope["session"].session_key if self.scope["user"].is_authenticated else ""

    @property
    def password(self) -> str:
        """The hash of the user's password when the socket was opened; "" for someone who is not logged in."""
        return self.scope["user"].password if self.session_key else ""

    async def why_not(self) -> int | None:
        """Return the close code if the socket's user may not watch; else None."""
        if not await self._is_session_valid():
            return SESSION_ENDED
        return None if await database_sync_to_async(self.look_up)() else NOTHING_THERE

    async def close_if_rights_ended(self) -> None:
        """Close the socket if its session is over."""
        if not await self._is_session_valid():
            await self.shut()

    async def shut(self) -> None:
        """Close the socket: its session is over."""
        hub().leave(self)
        with contextlib.suppress(OSError, RuntimeError):
            await self.close(SESSION_ENDED)

    async def _is_session_valid(self) -> bool:
        """Check the session again: it may have ended since the socket was opened."""
        user = self.scope["user"]
        if not user.is_authenticated:
            return True
        session = import_module(settings.SESSION_ENGINE).SessionStore(self.session_key)
        return bool((await get_user({"session": session})).pk == user.pk)

    @staticmethod
    async def send_all(sockets: Iterable["Watcher"], text: str) -> None:
        """Send one text to many sockets; one that is gone or slow holds up no other."""
        sending = asyncio.gather(*(socket.send(text_data=text) for socket in sockets), return_exceptions=True)
        await asyncio.wait([sending], timeout=SLOW_SECONDS)


class Listener(Protocol):
    """Something that the hub wakes: all on one channel have one class. `session_key` is "" without a session."""

    @property
    def channel(self) -> str: ...

    @property
    def user_id(self) -> int | None: ...

    @property
    def session_key(self) -> str: ...

    @property
    def password(self) -> str: ...

    @classmethod
    async def tell(cls, sockets: Any) -> None:
        """Tell it that something has changed."""

    @classmethod
    async def follow_up(cls, sockets: Any) -> None:
        """Send more after that."""

    @classmethod
    async def note(cls, sockets: Any, note: Any) -> None:
        """Tell it of a related change."""

    async def close_if_rights_ended(self) -> None: ...


class Hub:
    """The sockets of this process and event loop, and their one subscription."""

    def __init__(self) -> None:
        self.sockets: dict[str, set[Listener]] = defaultdict(set)
        self._redis = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1)
        self._pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._following: dict[str, bool] = {}
        self._runs = False

    async def join(self, socket: Listener) -> None:
        """Subscribe the socket to its channel."""
        async with self._lock:
            if not self._runs:
                await self._pubsub.subscribe(f"{PREFIX}{RIGHTS}")
                self._runs = True
                self._start(self._listen())
                self._start(self._sweep())
            # Before the subscription, so that a socket that leaves meanwhile does not end it.
            is_first = not self.sockets[socket.channel]
            self.sockets[socket.channel].add(socket)
            try:
                if is_first:
                    await self._pubsub.subscribe(f"{PREFIX}{socket.channel}")
            except BaseException:
                self.leave(socket)
                raise

    def leave(self, socket: Listener) -> None:
        """Unsubscribe the socket."""
        theirs = self.sockets.get(socket.channel)
        if theirs and socket in theirs:
            theirs.remove(socket)
            if not theirs:
                self._start(self._let_go(socket.channel))

    async def _let_go(self, channel: str) -> None:
        async with self._lock:
            if not self.sockets.get(channel):
                self.sockets.pop(channel, None)
                with contextlib.suppress(OSError, RedisError):
                    await self._pubsub.unsubscribe(f"{PREFIX}{channel}")

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self) -> None:
        has_missed = False
        try:
            while True:
                try:
                    message = await self._pubsub.get_message(timeout=1 if has_missed else None)
                except (OSError, RedisError) as error:
                    if not has_missed:
                        log.warning("wake-ups interrupted", error=type(error).__name__)
                    has_missed = True
                    await asyncio.sleep(1)
                    continue
                if has_missed:  # connected and subscribed again: anything may have changed meanwhile
                    has_missed = False
                    for channel in tuple(self.sockets):
                        self._start(self._wake(channel))
                if message is not None:
                    self._hear(message)
        finally:
            with contextlib.suppress(Exception):
                await self._pubsub.aclose()  # type: ignore[no-untyped-call]
                await self._redis.aclose()

    def _hear(self, message: dict[str, Any]) -> None:
        channel = message["channel"].decode().removeprefix(PREFIX)
        data = json.loads(message["data"])
        if channel == RIGHTS:
            self._start(self._check(data))
        elif "note" in data:
            self._start(self._note(channel, data["note"]))
        else:
            self._start(self._wake(channel, data.get("at")))

    async def _note(self, channel: str, note: dict[str, Any]) -> None:
        sockets = tuple(self.sockets.get(channel, ()))
        if sockets:
            await type(sockets[0]).note(sockets, note)

    async def _wake(self, channel: str, since: float | None = None) -> None:
        sockets = tuple(self.sockets.get(channel, ()))
        if not sockets:
            return
        await type(sockets[0]).tell(sockets)
        if since is not None:
            PUSH_DELAY.observe(max(0.0, time.time() - since))
        if channel in self._following:
            self._following[channel] = True  # once more, after the one in progress
            return
        self._following[channel] = True
        try:
            while self._following[channel] and (sockets := tuple(self.sockets.get(channel, ()))):
                self._following[channel] = False
                await type(sockets[0]).follow_up(sockets)
        except Exception:
            log.exception("watchers not told more", channel=channel)
        finally:
            del self._following[channel]

    async def _check(self, whose: dict[str, Any]) -> None:
        theirs = (
            socket
            for socket in self._all()
            if (socket.user_id is not None and socket.user_id == whose.get("user"))
            or ((key := socket.session_key) and mark_session(key) == whose.get("session"))
        )
        # All at once: one that does not read must not keep the others open.
        await asyncio.gather(*(socket.close_if_rights_ended() for socket in theirs), return_exceptions=True)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            known = [socket for socket in self._all() if socket.session_key]
            if not known:
                continue
            try:
                lasting = await database_sync_to_async(_find_lasting)({socket.session_key for socket in known})
                passwords = await database_sync_to_async(_find_passwords)(
                    {pk for socket in known if (pk := socket.user_id)}
                )
            except Exception as error:
                log.warning("sockets not checked", error=type(error).__name__)
                continue
            ended = (
                socket
                for socket in known
                if socket.session_key not in lasting or passwords.get(socket.user_id or 0) != socket.password
            )
            await asyncio.gather(*(socket.close_if_rights_ended() for socket in ended), return_exceptions=True)

    def _all(self) -> list[Listener]:
        return [socket for sockets in self.sockets.values() for socket in sockets]


def _find_lasting(keys: set[str]) -> set[str]:
    """Return those of the sessions that have not ended."""
    lasting = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(lasting.values_list("session_key", flat=True))


def _find_passwords(users: set[int]) -> dict[int, str]:
    """Return the hashes of the passwords of those users who may log in."""
    return dict(get_user_model().objects.filter(pk__in=users, is_active=True).values_list("pk", "password"))


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
