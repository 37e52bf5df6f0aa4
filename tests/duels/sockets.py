"""A WebSocket client that talks ASGI to the application, without a network."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.db import connections


def run(story: Coroutine[Any, Any, object], *, seconds: float = 20) -> None:
    """Run a story of sockets or streams, and close the connection of the thread in which it touched rows.

    First, every task that it leaves behind ends: a query between two tests would leave that thread with a connection
    half open, on which later tests fail."""

    async def whole() -> None:
        try:
            await asyncio.wait_for(story, timeout=seconds)
        finally:
            while left := asyncio.all_tasks() - {asyncio.current_task()}:
                for task in left:
                    task.cancel()
                await asyncio.wait(left)
            await sync_to_async(connections.close_all)()

    asyncio.run(whole())


class SocketClient:
    """One socket. channels.testing has such a client too, but imports a server that this project does not use."""

    def __init__(self, application: Any, address: str, headers: list[tuple[bytes, bytes]]) -> None:
        path, _, query = address.partition("?")
        scope = {"type": "websocket", "path": path, "headers": headers, "subprotocols": []}
        scope["query_string"] = query.encode()
        self.wire = ApplicationCommunicator(application, scope)

    async def connect(self) -> bool:
        """Open the socket; return whether the other side accepts."""
        await self.wire.send_input({"type": "websocket.connect"})
        return bool((await self.receive())["type"] == "websocket.accept")

    async def receive(self, timeout: float = 5) -> dict[str, Any]:
        """The next thing that the other side does."""
        return dict(await self.wire.receive_output(timeout))

    async def receive_json(self, timeout: float = 5) -> Any:
        message = await self.receive(timeout)
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    async def receive_nothing(self, seconds: float = 0.5) -> bool:
        return bool(await self.wire.receive_nothing(timeout=seconds))

    async def send(self, **payload: Any) -> None:
        await self.wire.send_input({"type": "websocket.receive", **payload})

    async def disconnect(self) -> None:
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wire.wait(5)
