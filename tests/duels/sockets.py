"""A WebSocket client that talks ASGI to the application, without a network."""

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator


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
