"""Bare Channels: a consumer that joins a group and passes on what the group is sent, under uvicorn."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from django.conf import settings

GROUP = "watchers"


@asynccontextmanager
async def serve(viewers: int) -> AsyncIterator[tuple[int, Callable[[str], Awaitable[None]]]]:
    """Serve sockets on a free port; yield the port, and what sends a text to everyone who is connected.

    Django must not be set up in this process: here it has nothing but Channels.
    """
    layer = {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 4 * viewers}}
    settings.configure(CHANNEL_LAYERS={"default": layer}, DATABASES={})
    from channels.generic.websocket import AsyncWebsocketConsumer
    from channels.layers import get_channel_layer

    class Watcher(AsyncWebsocketConsumer):  # type: ignore[misc]
        """Accepts everyone."""

        groups = (GROUP,)

        async def changed(self, event: dict[str, Any]) -> None:
            await self.send(text_data=event["text"])

    server = uvicorn.Server(uvicorn.Config(Watcher.as_asgi(), port=0, log_level="error", lifespan="off"))
    serving = asyncio.ensure_future(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)

    async def send(text: str) -> None:
        await get_channel_layer().group_send(GROUP, {"type": "changed", "text": text})

    yield server.servers[0].sockets[0].getsockname()[1], send
    server.should_exit = server.force_exit = True
    await serving
