"""The WebSocket of a page, which hears that what the page shows has changed."""

import asyncio
import contextlib
import json
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

from accounts.live.hub import CONNECT_SECONDS, hub
from accounts.live.present_people import is_seen, present_people
from accounts.sessions import hash_session_key

# Codes of our own for a closed socket (4000-4999 are free for applications).
NOTHING_THERE = 4404
SESSION_ENDED = 4401
# How long all wait for a client that reads slowly. It may take longer to get its own message
# (fm_site.serving.socket_limits.SEND_SECONDS).
SLOW_SECONDS = 1.0


class Watcher(AsyncWebsocketConsumer):  # type: ignore[misc]
    """The socket of one page that watches one numbered object. Anything the page sends is ignored."""

    number: int
    # Whether the socket was accepted and not closed at once.
    is_let_in = False
    # Whether its user counts as here because of it.
    is_noted = False

    @staticmethod
    def channel_of(number: int) -> str:
        raise NotImplementedError

    def look_up(self) -> bool:
        raise NotImplementedError

    def write_frame(self) -> dict[str, Any]:
        """Return the message of a wake-up: the same for every page that watches this."""
        raise NotImplementedError

    @classmethod
    async def wake(cls, sockets: Sequence["Watcher"]) -> None:
        """Send the watchers of one object the message that it has changed."""
        await cls.send_all(sockets, json.dumps(sockets[0].write_frame()))

    @classmethod
    async def follow_up(cls, sockets: Sequence["Watcher"]) -> None:
        """Send more after a wake-up to the watchers of one object."""

    @classmethod
    async def note(cls, sockets: Sequence["Watcher"], note: dict[str, Any]) -> None:
        """Let the people concerned know of a related change; the object itself hasn't changed."""

    async def connect(self) -> None:
        self.number = self.scope["url_route"]["kwargs"]["number"]
        # Before anything is checked or accepted, so that no later event is missed.
        async with asyncio.timeout(CONNECT_SECONDS):
            await hub().join(self)
        try:
            refusal = await self.find_refusal()
            if refusal is not None:
                hub().leave(self)
            await self.accept()
        except BaseException:  # the database or the client is gone: disconnect() will not be called
            hub().leave(self)
            raise
        self.is_let_in = refusal is None
        if refusal is not None:
            await self.close(refusal)
        elif is_seen(self.scope["user"]):
            self.is_noted = True
            try:
                await present_people().open(self.scope["user"].pk)
            except BaseException:
                self.leave()
                raise

    async def disconnect(self, code: int) -> None:
        self.leave()

    def leave(self) -> None:
        """Stop listening, and counting as a page of its user."""
        hub().leave(self)
        if self.is_noted:
            self.is_noted = False
            present_people().close(self.scope["user"].pk)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Ignore the data: orders go through the page or the API."""

    @property
    def channel(self) -> str:
        return self.channel_of(self.number)

    @property
    def user_id(self) -> int | None:
        return self.scope["user"].pk or None

    @property
    def session_key(self) -> str:
        """The key of the row of the session behind the socket; "" for someone who is not logged in."""
        return hash_session_key(self.scope["session"].session_key) if self.scope["user"].is_authenticated else ""

    @property
    def password(self) -> str:
        """The hash of the user's password when the socket was opened; "" for someone who is not logged in."""
        return self.scope["user"].password if self.session_key else ""

    async def find_refusal(self) -> int | None:
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
        session = import_module(settings.SESSION_ENGINE).SessionStore(self.scope["session"].session_key)
        return bool((await get_user({"session": session})).pk == user.pk)

    @staticmethod
    async def send_all(sockets: Iterable["Watcher"], text: str) -> None:
        """Send one text to many sockets; one that is gone or slow holds up no other."""
        sending = asyncio.gather(*(socket.send(text_data=text) for socket in sockets), return_exceptions=True)
        await asyncio.wait([sending], timeout=SLOW_SECONDS)


def find_language(scope: Any) -> str:
    """Return the language of a page that is not logged in: the one that it names, since not every browser sends its
    reader's languages with the request for a socket; or else the language of a request from it."""
    query: str = scope.get("query_string", b"").decode("latin-1")
    named = parse_qs(query).get("language", [""])[-1]
    if named in dict(settings.LANGUAGES):
        return named
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    headers = dict(scope["headers"])
    request.META = {"HTTP_ACCEPT_LANGUAGE": headers.get(b"accept-language", b"").decode("latin-1")}
    return get_language_from_request(request)
