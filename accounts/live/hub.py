"""The hub: the one subscription of a process, which wakes its open WebSockets and event streams.

Access is checked when a listener joins; when rights end, a message closes it (operations.wakeups.RIGHTS), and a
sweep finds listeners whose message was lost. So a wake-up costs no query, however many watch.
"""

import asyncio
import contextlib
import json
import time
from collections import defaultdict
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import redis.asyncio
import structlog
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from redis.exceptions import RedisError

from operations.metrics import PUSH_DELAY
from operations.wakeups import PREFIX, RIGHTS, mark_session

log = structlog.get_logger(__name__)

# If Valkey does not answer within this time, a listener is refused and its page or program tries again.
CONNECT_SECONDS = 3
# How often the rights of all listeners are checked, in case a message was lost.
SWEEP_SECONDS = 60


class Listener(Protocol):
    """Something that the hub wakes, together with all others of its class on its channel. `session_key` is the key of
    the session's row, "" without a session."""

    @property
    def channel(self) -> str: ...

    @property
    def user_id(self) -> int | None: ...

    @property
    def session_key(self) -> str: ...

    @property
    def password(self) -> str: ...

    @classmethod
    async def wake(cls, listeners: Any) -> None:
        """Let the listeners of one channel know that something has changed."""

    @classmethod
    async def follow_up(cls, listeners: Any) -> None:
        """Send them more after that."""

    @classmethod
    async def note(cls, listeners: Any, note: Any) -> None:
        """Let them know of a related change."""

    async def close_if_rights_ended(self) -> None: ...


class Hub:
    """The listeners of this process and event loop, and their one subscription."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Listener]] = defaultdict(set)
        self._redis = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1)
        self._pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._following: dict[str, bool] = {}
        self._is_running = False

    async def join(self, listener: Listener) -> None:
        """Subscribe the listener to its channel."""
        async with self._lock:
            if not self._is_running:
                await self._pubsub.subscribe(f"{PREFIX}{RIGHTS}")
                self._is_running = True
                self._start(self._listen())
                self._start(self._sweep())
            # Before the subscription, so that another listener who leaves during it does not end it.
            is_first = not self.listeners[listener.channel]
            self.listeners[listener.channel].add(listener)
            try:
                if is_first:
                    await self._pubsub.subscribe(f"{PREFIX}{listener.channel}")
            except BaseException:
                self.leave(listener)
                raise

    def leave(self, listener: Listener) -> None:
        """Remove the listener; the last one on a channel ends its subscription."""
        remaining = self.listeners.get(listener.channel)
        if remaining and listener in remaining:
            remaining.remove(listener)
            if not remaining:
                self._start(self._unsubscribe_if_empty(listener.channel))

    async def _unsubscribe_if_empty(self, channel: str) -> None:
        async with self._lock:
            if not self.listeners.get(channel):
                self.listeners.pop(channel, None)
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
                if has_missed:  # connected and subscribed again: anything may have changed in the meantime
                    has_missed = False
                    for channel in tuple(self.listeners):
                        self._start(self._wake(channel))
                if message is not None:
                    try:
                        self._dispatch(message)
                    except Exception:  # from another release, perhaps: the next one may be understood
                        log.exception("message not understood")
        finally:
            with contextlib.suppress(Exception):
                await self._pubsub.aclose()  # type: ignore[no-untyped-call]
                await self._redis.aclose()

    def _dispatch(self, message: dict[str, Any]) -> None:
        channel = message["channel"].decode().removeprefix(PREFIX)
        data = json.loads(message["data"])
        if channel == RIGHTS:
            self._start(self._check_rights(data))
        elif "note" in data:
            self._start(self._pass_on(channel, data["note"]))
        else:
            self._start(self._wake(channel, data.get("at")))

    async def _pass_on(self, channel: str, note: dict[str, Any]) -> None:
        for kind, listeners in self._by_class(channel):
            await kind.note(listeners, note)

    async def _wake(self, channel: str, since: float | None = None) -> None:
        if not self.listeners.get(channel):
            return
        for kind, listeners in self._by_class(channel):
            await kind.wake(listeners)
        if since is not None:
            PUSH_DELAY.observe(max(0.0, time.time() - since))
        if channel in self._following:
            self._following[channel] = True  # again, as soon as the current one is done
            return
        self._following[channel] = True
        try:
            while self._following[channel] and self.listeners.get(channel):
                self._following[channel] = False
                for kind, listeners in self._by_class(channel):
                    await kind.follow_up(listeners)
        except Exception:
            log.exception("follow-up failed", channel=channel)
        finally:
            del self._following[channel]

    def _by_class(self, channel: str) -> list[tuple[type[Listener], tuple[Listener, ...]]]:
        """Return the listeners on a channel by their class: pages and programs may watch the same battle."""
        found: dict[type[Listener], list[Listener]] = defaultdict(list)
        for listener in self.listeners.get(channel, ()):
            found[type(listener)].append(listener)
        return [(kind, tuple(listeners)) for kind, listeners in found.items()]

    async def _check_rights(self, whose: dict[str, Any]) -> None:
        """Check the listeners of one user or one session."""
        concerned = (
            listener
            for listener in self._all()
            if (listener.user_id is not None and listener.user_id == whose.get("user"))
            or ((key := listener.session_key) and mark_session(key) == whose.get("session"))
        )
        # All at once: one that does not read must not keep the others open.
        await asyncio.gather(*(listener.close_if_rights_ended() for listener in concerned), return_exceptions=True)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            known = [listener for listener in self._all() if listener.session_key]
            if not known:
                continue
            try:
                sessions = await database_sync_to_async(_find_open_sessions)({each.session_key for each in known})
                passwords = await database_sync_to_async(_find_passwords)(
                    {each.user_id for each in known if each.user_id}
                )
            except Exception as error:
                log.warning("sockets not checked", error=type(error).__name__)
                continue
            ended = (
                each
                for each in known
                if each.session_key not in sessions or passwords.get(each.user_id or 0) != each.password
            )
            await asyncio.gather(*(each.close_if_rights_ended() for each in ended), return_exceptions=True)

    def _all(self) -> list[Listener]:
        return [listener for listeners in self.listeners.values() for listener in listeners]


def _find_open_sessions(keys: set[str]) -> set[str]:
    """Return those of the session keys whose sessions have not ended."""
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(sessions.values_list("session_key", flat=True))


def _find_passwords(users: set[int]) -> dict[int, str]:
    """Return the password hashes of those users who may log in."""
    return dict(get_user_model().objects.filter(pk__in=users, is_active=True).values_list("pk", "password"))


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
