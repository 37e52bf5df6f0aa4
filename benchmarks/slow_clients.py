"""What pages cost while others drip: python -m benchmarks.slow_clients [CLIENTS]

Its own `./run` stack serves PAGES pages one after the other, first alone, then while CLIENTS connections are idle,
send a byte of their headers or body now and then, or leave a large answer unread. All of it on this machine. Prints the
ratio of the medians for each kind and ends with 1 when one of them is above LIMIT.
"""

import contextlib
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.services.stack import Stack

LIMIT = 2.0
PAGES = 100
CLIENTS = 500
MOST_CLIENTS = 900
DRIP_SECONDS = 1.0
POST = b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\na"
KINDS = {
    "idle": (b"", b""),
    "dripping headers": (b"GET / HTTP/1.1\r\nX-A: ", b"a"),
    "dripping a body": (POST, b"a"),
    "dripping a handshake": (b"GET /ws/battles/1/ HTTP/1.1\r\nUpgrade: websocket\r\nX-A: ", b"a"),
    "not reading": (b"GET /static/site.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b""),
}


def main(clients: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        stack = Stack(Path(scratch) / "var")
        stack.start()
        try:
            stack.wait_until_open()
            time_pages(stack.port)  # warm
            worst = 0.0
            for kind, (begin, drip) in KINDS.items():
                usual = time_pages(stack.port)
                with slow_clients(stack.port, min(clients, MOST_CLIENTS), begin, drip) as refused:
                    loaded = time_pages(stack.port)
                ratio = loaded / usual
                worst = max(worst, ratio)
                print(
                    f"{clients} clients {kind}: page {1000 * loaded:.1f} ms, alone {1000 * usual:.1f} ms,"
                    f" ratio {ratio:.2f} ({refused[0]} opened again after being closed)",
                    flush=True,
                )
        finally:
            stack.interrupt()
    print(f"worst ratio {worst:.2f}, limit {LIMIT}")
    return 0 if worst <= LIMIT else 1


def time_pages(port: int) -> float:
    """Return the median time of a page, in seconds."""
    times = []
    for _ in range(PAGES):
        begin = time.perf_counter()
        with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
            line.sendall(b"GET /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answer = b""
            while part := line.recv(65536):
                answer += part
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


@contextlib.contextmanager
def slow_clients(port: int, count: int, begin: bytes, drip: bytes) -> Iterator[list[int]]:
    """Keep `count` connections open until the block ends, reopening those that are closed. Yields how often that
    was."""
    lines = [open_line(port, begin) for _ in range(count)]
    again, over = [0], threading.Event()

    def keep_dripping() -> None:
        while not over.wait(DRIP_SECONDS):
            for number, line in enumerate(lines):
                if over.is_set():
                    return
                if not is_open(line, drip):
                    line.close()
                    lines[number] = open_line(port, begin)
                    again[0] += 1

    thread = threading.Thread(target=keep_dripping)
    thread.start()
    time.sleep(DRIP_SECONDS)
    try:
        yield again
    finally:
        over.set()
        thread.join()
        for line in lines:
            line.close()


def open_line(port: int, begin: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    line.sendall(begin)
    return line


def is_open(line: socket.socket, drip: bytes) -> bool:
    try:
        line.sendall(drip)
        line.setblocking(False)
        return line.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        line.setblocking(True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else CLIENTS))
