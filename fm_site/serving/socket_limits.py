"""Limits for WebSockets: known URLs, the size and rate of messages, the time to take ours, the number of sockets per
client."""

import asyncio
from collections import Counter
from uuid import uuid4

import structlog
from asgiref.sync import sync_to_async
from django.db import Error as RowsError
from redis.exceptions import RedisError
from uvicorn.protocols.utils import ClientDisconnected

from operations.web.asgi import Application, Message, Receive, Scope, Send
from operations.web.client_address import network_of, scope_address
from operations.web.throttle import Throttle

log = structlog.get_logger(__name__)

# Bytes. Pages send nothing at all; the server closes with 1009 after a larger frame.
LARGEST_FRAME = 4096
# Messages of one socket.
MESSAGES = Throttle("socket", limit=20, seconds=10)
# How long a client that does not read may keep a message of ours waiting.
SEND_SECONDS = 10.0
# Open sockets in one process. Anonymous clients of one network share a limit.
MOST_OF_A_USER = 40
MOST_OF_A_NETWORK = 200

POLICY_VIOLATION = 1008
TOO_LARGE = 1009
TRY_AGAIN_LATER = 1013
RETRY_AFTER = (b"retry-after", b"10")
AWAY = (RowsError, RedisError, OSError)  # TimeoutError is an OSError


async def answer_unknown_url(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a handshake for an unknown URL with 404."""
    await receive()
    await refuse_handshake(scope, send, 404)


class FailureMiddleware:
    """Answers 503 with Retry-After if the database or Valkey is unavailable; closes the socket if it is already
    open."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state = {"answered": False, "closed": False}

        async def send_and_note(message: Message) -> None:
            state["answered"] = True
            state["closed"] = state["closed"] or message["type"] == "websocket.close"
            await send(message)

        async def receive_and_note() -> Message:
            message = await receive()
            state["closed"] = state["closed"] or message["type"] == "websocket.disconnect"
            return message

        try:
            await self.inner(scope, receive_and_note, send_and_note)
        except ClientDisconnected:
            raise  # the server expects it
        except AWAY as error:
            log.warning("socket given up", error=type(error).__name__)
            if not state["answered"]:
                await refuse_handshake(scope, send, 503, RETRY_AFTER)
            elif not state["closed"]:
                await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})


class LimitMiddleware:
    """Limits what one client may open and send. It needs `scope["user"]`."""

    def __init__(
        self, inner: Application, *, most_of_a_user: int = MOST_OF_A_USER, most_of_a_network: int = MOST_OF_A_NETWORK
    ) -> None:
        self.inner = inner
        self.most_of_a_user, self.most_of_a_network = most_of_a_user, most_of_a_network
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client, most = self._find_client(scope)
        if self.open[client] >= most:
            await receive()
            await refuse_handshake(scope, send, 429, RETRY_AFTER)
            return
        self.open[client] += 1
        try:
            limited_send = limit_send(scope, send)
            await self.inner(scope, limit_receive(receive, limited_send), limited_send)
        finally:
            self.open[client] -= 1
            if not self.open[client]:
                del self.open[client]

    def _find_client(self, scope: Scope) -> tuple[str, int]:
        user = scope.get("user")
        if user is not None and user.is_authenticated:
            return f"user {user.pk}", self.most_of_a_user
        return f"network {network_of(scope_address(scope))}", self.most_of_a_network


def limit_receive(receive: Receive, send: Send) -> Receive:
    """Return a `receive` that closes the socket of a client that sends too much or too often."""
    socket = uuid4().hex

    async def receive_within_limits() -> Message:
        message = await receive()
        if message["type"] != "websocket.receive":
            return message
        size = len(message.get("bytes") or b"") + len((message.get("text") or "").encode("utf-8", "replace"))
        if size > LARGEST_FRAME:
            code = TOO_LARGE
        elif await sync_to_async(MESSAGES.count)(socket) > MESSAGES.limit:
            code = POLICY_VIOLATION
        else:
            return message
        await send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}

    return receive_within_limits


def limit_send(scope: Scope, send: Send) -> Send:
    """Return a `send` that ends the connection of a client that does not read, and then raises TimeoutError.

    Otherwise its messages would wait forever: uvicorn closes a connection only when the last byte was taken."""

    async def send_within_limits(message: Message) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)
        except TimeoutError:
            abort = scope.get("state", {}).get("abort")
            if abort is not None:
                abort()
            raise

    return send_within_limits


async def refuse_handshake(scope: Scope, send: Send, status: int, *headers: tuple[bytes, bytes]) -> None:
    """Reject a socket that is not open yet with an HTTP status, if the server can send one."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER if status >= 429 else 4404})
        return
    length = (b"content-length", b"0")
    await send({"type": "websocket.http.response.start", "status": status, "headers": [length, *headers]})
    await send({"type": "websocket.http.response.body", "body": b""})
