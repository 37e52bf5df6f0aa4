"""WebSockets that tell a page that something has changed, but never what: the page then fetches it."""

import asyncio
import contextlib
from importlib import import_module
from typing import Any

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from redis.exceptions import RedisError

# Codes of our own for a closed socket (4000-4999 are free for applications).
NOTHING_THERE = 4404
SESSION_ENDED = 4401
# If Valkey does not answer within this time, the socket is refused and the page retries.
CONNECT_SECONDS = 3


class Watcher(AsyncJsonWebsocketConsumer):  # type: ignore[misc]
    """The socket of one page that watches one numbered object. Anything the page sends is ignored."""

    number: int

    @staticmethod
    def group_of(number: int) -> str:
        """Return the name of the group of sockets that watch `number`."""
        raise NotImplementedError

    @staticmethod
    def exists(number: int) -> bool:
        """Say whether the object exists."""
        raise NotImplementedError

    async def connect(self) -> None:
        self.number = self.scope["url_route"]["kwargs"]["number"]
        refusal = await self.why_not()
        if refusal is None:
            # Before accepting, so that the page misses nothing once it is connected.
            async with asyncio.timeout(CONNECT_SECONDS):
                await self.channel_layer.group_add(self.group_of(self.number), self.channel_name)
        await self.accept()
        if refusal is not None:
            await self.close(refusal)

    async def disconnect(self, code: int) -> None:
        with contextlib.suppress(OSError, RedisError):  # TimeoutError is an OSError
            async with asyncio.timeout(CONNECT_SECONDS):
                await self.channel_layer.group_discard(self.group_of(self.number), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Ignore the data: orders go through the page or the API."""

    async def tell(self, message: dict[str, Any]) -> None:
        """Send a wake-up, or close the socket if its user may no longer watch."""
        refusal = await self.why_not()
        if refusal is not None:
            await self.close(refusal)
        else:
            await self.send_json(message)

    async def why_not(self) -> int | None:
        """Return the close code if the socket's user may not watch, or no longer may; else None."""
        if not await self._is_who_he_was():
            return SESSION_ENDED
        if not await database_sync_to_async(self.exists)(self.number):
            return NOTHING_THERE
        return None

    async def _is_who_he_was(self) -> bool:
        """Check the session again: it may have ended since the socket was opened."""
        user = self.scope["user"]
        if not user.is_authenticated:
            return True
        session = import_module(settings.SESSION_ENGINE).SessionStore(self.scope["session"].session_key)
        return bool((await get_user({"session": session})).pk == user.pk)
