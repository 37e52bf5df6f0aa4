"""How soon many viewers hold a new turn: python -m benchmarks.viewers [--viewers N] [--turns N]

On its own `./run` stack. N sockets of people who are not logged in watch one battle; two programs play it. For
each turn: when the hint and when the new page have come to every viewer, from before the last orders left, and the
processor time of the site's process.
"""

import argparse
import asyncio
import base64
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.floor.channels import serve
from benchmarks.floor.sockets import push
from benchmarks.live_update import send_orders
from benchmarks.rows import add_figure, add_quotient
from tests.journeys.page_list import settle, start_duel
from tests.services.stack import Stack

# The site allows this many sockets from one network; each network of this machine plays another household.
A_NETWORK = 150
CLOSE, PING, PONG = 8, 9, 10
HINT_MS, PAGE_SECONDS, CPU_SECONDS = 100, 2.0, 2.0


@dataclass
class PageSocket:
    """One socket, and when it got what."""

    hints: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    size: int = 0

    async def watch(self, port: int, path: str, network: int) -> None:
        """Open the socket as a client of one of this machine's networks."""
        place = f"127.0.0.1:{port}"
        await self.open(port, path, f"Host: {place}\r\nOrigin: http://{place}\r\n", f"127.0.{network}.1")

    async def open(self, port: int, path: str, head: str, client: str | None = None) -> None:
        """Open the socket with these header lines, from an address of this machine."""
        local = (client, 0) if client else None
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET {path} HTTP/1.1\r\n{head}Upgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101"), answer
        self.writer = writer
        self.reading = asyncio.ensure_future(self.read(reader))

    async def read(self, reader: asyncio.StreamReader) -> None:
        while True:
            head = await reader.readexactly(2)
            length = head[1] & 127
            if length > 125:
                length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
            content = await reader.readexactly(length)
            now, kind = time.perf_counter(), head[0] & 15
            if kind == CLOSE:
                return
            if kind == PING:
                # Who doesn't answer is closed after a while. The mask is of zeros.
                self.writer.write(bytes((128 | PONG, 128 | length)) + bytes(4) + content)
            elif length > 500:
                self.pages.append(now)
                self.size = length
            else:
                self.hints.append(now)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.viewers", description=__doc__)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name:
        stack = Stack(Path(name) / "data")
        stack.start()
        try:
            stack.wait_until_open()
            first, second = settle(stack, "Watcher", "Ayla"), settle(stack, "Sender", "Crom")
            number = start_duel(first, "Ayla", second, "Crom")
            tokens = make_tokens(stack, "Watcher", "Sender")
            asyncio.run(play(stack, number, tokens, options.viewers, options.turns))
        finally:
            stack.interrupt()
    return 0


def make_tokens(stack: Stack, *names: str) -> list[str]:
    """Return a token for each of these users."""
    made = (
        "from django.utils import timezone\n"
        "from accounts.models import User\n"
        "from accounts.services.tokens import issue_api_token\n"
        f"for name in {names!r}:\n"
        "    print('TOKEN', issue_api_token(user=User.objects.get(username=name), name='b', now=timezone.now())[1])\n"
    )
    return [line.split()[1] for line in stack.manage("shell", "-c", made).splitlines() if line.startswith("TOKEN")]


async def play(stack: Stack, number: int, tokens: list[str], count: int, turns: int) -> None:
    loop = asyncio.get_running_loop()
    viewers = await connect(count, stack.port, f"/ws/battles/{number}/")
    site = find_site(stack)
    rows = []
    for _ in range(turns):
        await loop.run_in_executor(None, send_orders, stack, number, tokens[0])
        await settle_down(viewers)
        before = read_cpu(site)
        for viewer in viewers:
            viewer.hints, viewer.pages = [], []
        sent = time.perf_counter()
        await loop.run_in_executor(None, send_orders, stack, number, tokens[1])
        await settle_down(viewers)
        hints = sorted(viewer.hints[0] - sent for viewer in viewers if viewer.hints)
        pages = sorted(viewer.pages[-1] - sent for viewer in viewers if viewer.pages)
        rows.append((hints, pages, read_cpu(site) - before))
        assert len(hints) == len(pages) == count, (len(hints), len(pages))
    p50 = statistics.median(1000 * row[0][count // 2] for row in rows)
    p95 = statistics.median(1000 * row[0][count * 95 // 100] for row in rows)
    held = statistics.median(row[1][-1] for row in rows)
    cpu = statistics.median(row[2] for row in rows)
    load = os.getloadavg()[0]
    hint = len('{"battle": 12, "changed": true}')
    raw, raw_page = await push(count, hint), await push(count, viewers[0].size)
    bare = await publish_by_channels(count, "x" * hint)
    print(f"{count} viewers, {viewers[0].size} bytes a page, load {load:.1f}")
    for name, floor in (("raw sockets", raw), ("bare Channels", bare)):
        print(f"floor, {name}: p50 {1000 * floor[count // 2]:.0f} ms, p95 {1000 * floor[count * 95 // 100]:.0f} ms")
    print(f"hint, from before the orders left: p50 {p50:.0f} ms")
    add_quotient(f"hint to {count} viewers, p95, over Channels", p95, 1000 * bare[count * 95 // 100], "ms")
    add_figure(f"hint to {count} viewers, p95, in ms", p95, "ms", most=HINT_MS)
    add_quotient("... until all hold the page, over raw sockets", held, raw_page[-1], "s")
    add_figure("... until all hold the page", held, "s", most=PAGE_SECONDS)
    add_figure("... processor time of the site", cpu, "s", most=CPU_SECONDS)


async def connect(count: int, port: int, path: str) -> list[PageSocket]:
    """Open so many sockets, as many households would."""
    viewers = [PageSocket() for _ in range(count)]
    for at in range(0, count, 50):
        some = enumerate(viewers[at : at + 50], at)
        await asyncio.gather(*(viewer.watch(port, path, 1 + place // A_NETWORK) for place, viewer in some))
    return viewers


async def publish_by_channels(count: int, text: str) -> list[float]:
    """Return for each of so many viewers after how many seconds it has a text that bare Channels sends, in order."""
    async with serve(count) as (port, send):
        viewers = await connect(count, port, "/")
        await settle_down(viewers)
        begin = time.perf_counter()
        await send(text)
        await settle_down(viewers)
        times = sorted(viewer.hints[0] - begin for viewer in viewers if viewer.hints)
        assert len(times) == count, len(times)
        for viewer in viewers:
            viewer.reading.cancel()
            viewer.writer.close()
    return times


async def settle_down(viewers: list[PageSocket], seconds: float = 1.0) -> None:
    """Return when nobody has received anything for a while."""
    last = -1
    while (now := sum(len(viewer.hints) + len(viewer.pages) for viewer in viewers)) != last:
        last = now
        await asyncio.sleep(seconds)


def find_site(stack: Stack) -> int:
    """Return the process that serves the site."""
    assert stack.process is not None
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                name = (entry / "comm").read_text().strip()
            except OSError:
                continue
            if int(stat[1]) == stack.process.pid and name == "fm-site":
                return int(entry.name)
    raise AssertionError("no process serves the site")


def read_cpu(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    print(json.dumps({"cores": os.cpu_count()}))
    sys.exit(main(sys.argv[1:]))
