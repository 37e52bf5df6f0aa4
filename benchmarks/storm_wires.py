"""A wire between the site's processes and a server, which a storm can cut for some of them.

It is a proxy on a Unix socket, so it knows the process at the other end. While a wire is cut, nothing passes either way
unnoticed, as when a network drops packets. Afterwards the bytes arrive, or the connections are reset.
"""

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Wires:
    """All wires of a storm, in a thread of their own. Close it in the end."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        # By (process name, server): set while bytes pass.
        self.open: dict[tuple[str, str], asyncio.Event] = {}
        self.ends: dict[tuple[str, str], set[asyncio.StreamWriter]] = {}
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def lay(self, server: str, near: Path, far: Path) -> None:
        """Listen on `near` and connect to `far`; the name of the server is for `cut`."""
        near.parent.mkdir(mode=0o700, exist_ok=True)

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._join(server, far, (reader, writer))

        self._run(asyncio.start_unix_server(take, near))

    def cut(self, process: str, server: str) -> None:
        """Let nothing pass between processes of that name and the server, also on connections yet to come."""
        self._call(lambda: self._gate(process, server).clear())

    def mend(self, process: str, server: str, *, resets: bool) -> None:
        """Let bytes pass again; first reset the connections if `resets`."""
        self._call(lambda: self._mend(process, server, resets))

    def close(self) -> None:
        """End all connections."""

        async def end() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        self._run(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    def _run(self, work: "Coroutine[Any, Any, Any]") -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def _call(self, act: Callable[[], object]) -> None:
        async def do() -> None:
            act()

        self._run(do())

    def _mend(self, process: str, server: str, resets: bool) -> None:
        if resets:
            for end in self.ends.get((process, server), set()).copy():
                end.transport.abort()
        self._gate(process, server).set()

    def _gate(self, process: str, server: str) -> asyncio.Event:
        gate = self.open.get((process, server))
        if gate is None:
            gate = self.open[process, server] = asyncio.Event()
            gate.set()
        return gate

    async def _join(self, server: str, far: Path, client: Stream) -> None:
        process = read_peer(client[1].get_extra_info("socket"))
        gate, ends = self._gate(process, server), self.ends.setdefault((process, server), set())
        mine = {client[1]}
        ends |= mine
        try:
            await gate.wait()
            theirs = await asyncio.open_unix_connection(far)
            mine.add(theirs[1])
            ends |= mine
            await asyncio.wait(
                [
                    asyncio.ensure_future(pump(client[0], theirs[1], gate)),
                    asyncio.ensure_future(pump(theirs[0], client[1], gate)),
                ],
                return_when=asyncio.FIRST_COMPLETED,
            )
        except OSError:
            # The server is away.
            pass
        finally:
            ends -= mine
            for end in mine:
                end.close()


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter, gate: asyncio.Event) -> None:
    """Pass bytes on while the wire is whole, until either end closes."""
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            await gate.wait()
            target.write(data)
            await target.drain()


def read_peer(connection: Any) -> str:
    """Return the name of the process at the other end of a Unix socket."""
    pid, *_ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
