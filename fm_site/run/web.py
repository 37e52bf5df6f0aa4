"""The web process: `python -m fm_site.run.web` serves pages and WebSockets.

It listens on 127.0.0.1 at FM_PORT, for `./run` and for a proxy on the same machine; FM_HOST names another address. If
systemd passes it a listening socket, it takes that instead, and stops without failing a request: it answers those that
have arrived, and new connections wait at the socket for the next process.
"""

import asyncio
import contextlib
import os
import resource
import socket
import time
from collections.abc import Sequence
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from fm_site.run.memory import return_freed_memory
from fm_site.run.ports import take_sockets
from fm_site.serving.socket_limits import LARGEST_FRAME

# From the first byte of a request to the end of its headers, and from a new connection to the first byte.
HEADER_SECONDS = 10.0
# As h11 limits them by itself.
MOST_HEADER_BYTES = 16 * 1024
# Between two requests on one connection.
KEEP_ALIVE_SECONDS = 5
# The time a closed connection has to send its remaining data.
LINGER_SECONDS = 30.0
# Connections; each needs a file descriptor, and the rest of the process needs some too.
MOST_CONNECTIONS = 10_000
OTHER_FILES = 200
# For answers while the process stops: longer than the longest page (fm_site.serving.buffered_pages), and shorter than
# systemd waits (deploy/systemd/firetop-web.service).
DRAIN_SECONDS = 25.0
CLOSE = (b"connection", b"close")


class StrictConnection(h11.Connection):
    """Rejects requests whose length is given in two ways, or in one that HTTP/1.0 doesn't know: a proxy in front may
    read them differently and take a part of one for the next (RFC 9112, section 6.1)."""

    def next_event(self) -> Any:
        """Return the next event. Raises RemoteProtocolError."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _value in event.headers}
            if b"transfer-encoding" in names and (b"content-length" in names or event.http_version < b"1.1"):
                raise h11.RemoteProtocolError("the length of the request is ambiguous")
        return event


class PatientProtocol(H11Protocol):
    """Uvicorn's HTTP protocol, with time limits for slow headers and for responses that nobody reads."""

    header_timer: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = StrictConnection(h11.SERVER, MOST_HEADER_BYTES)
        # For fm_site.serving.buffered_pages, which limits how long a client may take to read a response.
        self.app_state = {**self.app_state, "abort": self.abort}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.abort()
        else:
            self.time_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.time_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_timer()
        super().connection_lost(exc)

    def time_headers(self) -> None:
        """Run the timer exactly while waiting for a request's headers."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self.stop_timer()
        elif self.header_timer is None and self.timeout_keep_alive_task is None:
            self.header_timer = self.loop.call_later(HEADER_SECONDS, self.abort)

    def stop_timer(self) -> None:
        if self.header_timer is not None:
            self.header_timer.cancel()
            self.header_timer = None

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.loop.call_later(LINGER_SECONDS, self.abort)

    def let_go(self) -> None:
        """Close the connection with the answer to the request in progress, or to the next one.

        Not before: a proxy may be sending one on it. One that stays idle is closed by its usual timer.
        """
        if self.cycle is None or self.cycle.response_complete:
            return
        if not self.cycle.response_started:
            self.cycle.default_headers = self.server_state.default_headers
        elif self.scope["state"].get("is_endless"):
            self.transport.close()

    def abort(self) -> None:
        """Close the connection immediately."""
        if self.transport is not None:
            self.transport.abort()


class QuietSockets(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, which does not log an error for every handshake that we refuse."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.default_headers = [header for header in self.default_headers if header != CLOSE]

    def let_go(self) -> None:
        """Tell the browser that the service restarts, so that it connects again; a handshake ends first."""
        if self.handshake_complete:
            self.shutdown()

    async def send(self, message: Any) -> None:
        """Take a refusal as the end of the handshake."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True


def most_connections() -> int:
    """Return how many connections the limit of open files allows."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - OTHER_FILES
    return max(50, min(MOST_CONNECTIONS, allowed))


def raise_file_limit() -> None:
    """Raise this process's limit of open files to what the most connections need, or as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft not in (resource.RLIM_INFINITY,) and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def server_options() -> dict[str, Any]:
    """Return uvicorn's options, except for its address."""
    return {
        # The process stamps that it serves pages (fm_site.serving.page_stamps).
        "lifespan": "auto",
        "http": PatientProtocol,
        "ws": QuietSockets,
        "ws_max_size": LARGEST_FRAME,
        # It would compress the same message a thousand times for a thousand viewers.
        "ws_per_message_deflate": False,
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "backlog": 2048,
        # FM_TRUSTED_PROXIES lists the trusted proxies; uvicorn would trust everything on this machine.
        "proxy_headers": False,
        # The settings configure logging, with redaction; an access log would contain reset links.
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": 3,
    }


class QuietServer(uvicorn.Server):
    """Uvicorn's server, which wakes once a second instead of ten times when there is nothing to do."""

    async def main_loop(self) -> None:
        loop = asyncio.get_running_loop()
        self.loop, self.stopping = loop, asyncio.Event()
        while not await self.on_tick(0):  # 0: the Date header is renewed
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), 1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; with sockets that others hold open too, only after every request that has arrived is answered."""
        if sockets:
            await self.drain()
        await super().shutdown(sockets)

    async def drain(self) -> None:
        """Accept no more connections, and wait until those that there are have ended, or DRAIN_SECONDS."""
        for server in self.servers:
            server.close()
        state = self.server_state
        state.default_headers = [*state.default_headers, CLOSE]
        end = time.monotonic() + DRAIN_SECONDS
        # Tasks first: a connection that was just accepted is on no list yet.
        await asyncio.sleep(0)
        while (state.connections or state.tasks) and time.monotonic() < end and not self.force_exit:
            for connection in list(state.connections):
                connection.let_go()  # type: ignore[union-attr]  # server_options names both kinds
            await asyncio.sleep(0.05)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at once, not at the next tick."""
        super().handle_exit(sig, frame)
        if hasattr(self, "stopping"):
            self.loop.call_soon_threadsafe(self.stopping.set)


def main(sockets: Sequence[socket.socket] = ()) -> None:
    """Serve until asked to stop, on these listening sockets or on those that systemd has passed, if there are any."""
    return_freed_memory()
    raise_file_limit()
    host, port = os.environ.get("FM_HOST", "127.0.0.1"), int(os.environ.get("FM_PORT", "8000"))
    config = uvicorn.Config("fm_site.asgi:application", host=host, port=port, **server_options())
    QuietServer(config).run(list(sockets) or take_sockets() or None)


if __name__ == "__main__":
    main()
