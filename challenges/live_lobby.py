"""The sockets of the lobby's pages.

Whatever changes there, each process reads the lobby once, at most every READ_EVERY_SECONDS, with a number of queries
that does not depend on how many pages are open. What each reader may see of it needs no query.
"""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from channels.db import database_sync_to_async
from django.urls import path
from django.utils import timezone, translation

from accounts.live.hub import hub
from accounts.live.watcher import Watcher, find_language
from accounts.models import User
from challenges.lobby_rows import DrawnLobby, RowPainter
from challenges.selectors.lobby import Lobby, read_lobby
from operations.presence import LOBBY

log = structlog.get_logger(__name__)

READ_EVERY_SECONDS = 1.0
# Who left is noticed, and how long people have been waiting, without any message.
BEAT_SECONDS = 20.0
# What a page that connects may get, if nothing has changed since: each change is read at once.
FRESH_SECONDS = 5.0


class LobbyWatcher(Watcher):
    """The socket of one page of the lobby. It sends the rows that changed, as its reader may see them."""

    # What the page was last sent.
    drawn: DrawnLobby | None = None

    @staticmethod
    def channel_of(number: int) -> str:
        return LOBBY

    def look_up(self) -> bool:
        return True

    async def connect(self) -> None:
        await super().connect()
        if self.is_let_in:
            lobby = live_lobby()
            try:
                await lobby.send([self], await lobby.read(FRESH_SECONDS))
            except BaseException:  # the database or the client is gone: disconnect() will not be called
                self.leave()
                raise
            lobby.keep_beating()

    @classmethod
    async def wake(cls, sockets: Sequence[Watcher]) -> None:
        """Send nothing yet: what changed follows."""

    @classmethod
    async def follow_up(cls, sockets: Sequence[Watcher]) -> None:
        await live_lobby().update()

    @property
    def language(self) -> str:
        user = self.scope["user"]
        return getattr(user, "language", "") or find_language(self.scope)


class LiveLobby:
    """The lobby as this process and event loop last read it."""

    def __init__(self) -> None:
        self._lobby: Lobby | None = None
        self._read_at = 0.0
        self._reading = asyncio.Lock()
        self._beat: asyncio.Task[None] | None = None

    async def update(self) -> None:
        """Read the lobby again, and send every page what changed."""
        await asyncio.sleep(max(0.0, self._read_at + READ_EVERY_SECONDS - time.monotonic()))
        await self.send(_list_sockets(), await self.read(0.0))

    async def read(self, most_seconds: float) -> Lobby:
        """Return the lobby, at most so many seconds old. Pages that ask together share one reading."""
        asked_at = time.monotonic()
        async with self._reading:
            if self._lobby is None or self._read_at < asked_at - most_seconds:
                began = time.monotonic()
                self._lobby = await database_sync_to_async(read_lobby)(now=timezone.now())
                self._read_at = began
            return self._lobby

    async def send(self, sockets: Iterable[LobbyWatcher], lobby: Lobby) -> None:
        waiting = [socket for socket in sockets if socket.is_let_in]
        drawn = await database_sync_to_async(_draw_for_all)(waiting, lobby)
        # Pages that showed the same and now show the same get the same text. The list keeps the ids unique.
        texts: dict[tuple[int, int], str] = {}
        shown = [socket.drawn for socket in waiting]
        readers: dict[str, list[LobbyWatcher]] = defaultdict(list)
        for socket, before, fresh in zip(waiting, shown, drawn, strict=True):
            socket.drawn = fresh
            pair = (id(before), id(fresh))
            if pair not in texts:
                changes = fresh.list_changes(before)
                texts[pair] = json.dumps(changes) if changes else ""
            readers[texts[pair]].append(socket)
        readers.pop("", None)
        await asyncio.gather(*(Watcher.send_all(group, text) for text, group in readers.items()))

    def keep_beating(self) -> None:
        if self._beat is None or self._beat.done():
            self._beat = asyncio.ensure_future(self._run_beat())

    async def _run_beat(self) -> None:
        while _list_sockets():
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await self.update()
            except Exception:
                log.exception("the lobby was not read")


def _list_sockets() -> list[LobbyWatcher]:
    return [each for each in hub().listeners.get(LOBBY, ()) if isinstance(each, LobbyWatcher)]


def _draw_for_all(sockets: Sequence[LobbyWatcher], lobby: Lobby) -> list[DrawnLobby]:
    """Return what each of these pages shows now. Readers who see the same share it."""
    painters: dict[str, RowPainter] = {}
    views: dict[tuple[str, Any], DrawnLobby] = {}
    here = frozenset(each.key for each in lobby.here)
    drawn = []
    for socket in sockets:
        user = socket.scope["user"]
        reader = user if isinstance(user, User) else None
        key: Any = (reader is None or reader.is_guest, socket.user_id in here, socket.user_id in lobby.recent)
        if reader is not None and not lobby.is_alike_for(reader.pk):
            key = reader.pk
        view = (socket.language, key)
        if view not in views:
            painter = painters.setdefault(socket.language, RowPainter(timezone.now()))
            with translation.override(socket.language), timezone.override("UTC"):
                views[view] = painter.draw(lobby.show_to(reader))
        fresh = views[view]
        drawn.append(socket.drawn if socket.drawn == fresh else fresh)
    return drawn


_lobbies: WeakKeyDictionary[asyncio.AbstractEventLoop, LiveLobby] = WeakKeyDictionary()


def live_lobby() -> LiveLobby:
    return _lobbies.setdefault(asyncio.get_running_loop(), LiveLobby())


websocket_urlpatterns = [path("ws/lobby/", LobbyWatcher.as_asgi(), {"number": 0})]
