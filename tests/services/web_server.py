"""uvicorn as `fm_site.run.web` sets it up, in a thread, around any ASGI application."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn

from fm_site.run.web import server_options


@contextlib.contextmanager
def serve(application: Any, *, kernel_buffer: int = 0, **options: Any) -> Iterator[int]:
    """Serve `application` on a free port of 127.0.0.1 until the block ends; yield the port.

    With `kernel_buffer` the system keeps about so many bytes for a client that does not read, instead of megabytes.
    """
    listener = socket.create_server(("127.0.0.1", 0), backlog=600)
    if kernel_buffer:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, kernel_buffer)
    config = uvicorn.Config(application, **(server_options() | {"timeout_graceful_shutdown": 1} | options))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@contextlib.contextmanager
def open_lines(port: int, count: int, begin: bytes = b"") -> Iterator[list[socket.socket]]:
    """Open `count` connections and send `begin` on each."""
    with contextlib.ExitStack() as stack:
        lines = []
        for _ in range(count):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            line.sendall(begin)
            lines.append(line)
        yield lines


def ask(port: int, request: bytes, *, timeout: float = 10) -> bytes:
    """Send bytes on a new connection and return everything until the other side closes it."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as line:
        line.sendall(request)
        return read_all(line)


def read_all(line: socket.socket) -> bytes:
    """Return everything until the other side closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := line.recv(65536):
            found += part
    return found


def get(path: str = "/") -> bytes:
    """Return a GET that asks for the connection to be closed."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()


def post_head(length: int, *more: str, path: str = "/") -> bytes:
    """Return the headers of a POST."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {length}", *more]
    return "\r\n".join([*lines, "", ""]).encode()
