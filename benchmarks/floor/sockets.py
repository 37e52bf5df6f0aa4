"""A bare socket server: it writes the same bytes to everyone who is connected."""

import asyncio
import time


async def push(viewers: int, size: int) -> list[float]:
    """Return for each of so many connections after how many seconds it has received `size` bytes, in order."""
    writers: list[asyncio.StreamWriter] = []

    async def welcome(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)

    server = await asyncio.start_server(welcome, "127.0.0.1", 0, backlog=2048)
    port = server.sockets[0].getsockname()[1]
    clients = [await asyncio.open_connection("127.0.0.1", port) for _ in range(viewers)]
    while len(writers) < viewers:
        await asyncio.sleep(0.01)
    begin = time.perf_counter()

    async def receive(reader: asyncio.StreamReader) -> float:
        await reader.readexactly(size)
        return time.perf_counter() - begin

    waiting = [asyncio.ensure_future(receive(reader)) for reader, _ in clients]
    for writer in writers:
        writer.write(b"x" * size)
    times = sorted(await asyncio.gather(*waiting))
    for writer in [*writers, *(writer for _, writer in clients)]:
        writer.close()
    server.close()
    return times
