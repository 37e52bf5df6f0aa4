"""Players' pages and orders over HTTP, and the minimum: python -m benchmarks.over_http [--rounds N] [--seconds N]

`benchmarks.table` compares the processor time of our code with that of bare Django, without a server. This program asks
as a crowd does: our site and the floor each run as one process of `fm_site.run.web`, on a PostgreSQL that syncs every
commit, and a few connections ask each in turn as fast as they get answers. Prints requests per second, the quotient and
its target. A quotient here is lower, because the server and a commit to disk cost the same on both sides.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlencode

from benchmarks.own_site import run_own_site
from benchmarks.rows import HEAD, Measured, add
from benchmarks.table import EARLY, NOTHING, ORDERS, Row, count, list_rows

CONNECTIONS = 4
HOST = "127.0.0.1"
CSRF = "c" * 32
# A turn begins with the first order and resolves with the second. The second is measured as both together, without what
# the first alone takes.
FIRST, SECOND = "API submit, not resolving", "API submit that resolves"
# Sends requests on one connection, and returns how many.
Act = Callable[["Line", int], int]


class Line:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=30)

    def ask(self, request: bytes) -> bytes:
        """Send a request and return the body of the answer, which must be a success."""
        self.socket.sendall(request)
        data = bytearray()
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.socket.recv(65536)
        head = bytes(data[:end]).lower()
        size = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        while len(data) < end + 4 + size:
            data += self.socket.recv(65536)
        assert head.split(b" ", 2)[1] == b"200", bytes(data[:500])
        return bytes(data[end + 4 :])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.over_http", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.5, help="for one row, on one side, in one round")
    parser.add_argument("--serve-floor", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve_floor:
        return serve_floor()
    many = str(10**9)
    with run_own_site(
        durable=True, ALLOWED_HOSTS=f"testserver,{HOST}", FM_API_CALLS_PER_MINUTE=many, FM_API_CALLS_OF_NETWORK=many
    ):
        counted = {row.name: row for row in list_rows(3 * EARLY)}
        count(list(counted.values()))
        with serve("fm_site.run.web") as ours, serve("benchmarks.over_http", "--serve-floor") as floor:
            measure(list_work(counted), ours, floor, options.rounds, options.seconds)
    return 0


def serve_floor() -> int:
    """Serve the bare views as `fm_site.run.web` serves ours."""
    import django
    import uvicorn
    from django.conf import settings

    django.setup()
    from benchmarks.floor.urls import MIDDLEWARE
    from fm_site.run.web import QuietServer, server_options

    settings.MIDDLEWARE = MIDDLEWARE
    port = int(os.environ["FM_PORT"])
    QuietServer(uvicorn.Config("fm_site.asgi:application", host=HOST, port=port, **server_options())).run()
    return 0


@contextmanager
def serve(*module: str) -> Iterator[int]:
    """Run a web server of this module; yield its port."""
    from fm_site.run.children import start_child, stop_child
    from tests.services.stack import find_free_ports

    (port,) = find_free_ports(1)
    child = start_child(
        [sys.executable, "-m", *module], output=subprocess.DEVNULL, env={**os.environ, "FM_PORT": str(port)}
    )
    try:
        for _try in range(600):
            try:
                socket.create_connection((HOST, port)).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        stop_child(child, seconds=5)


def list_work(counted: dict[str, Row]) -> list[tuple[str, float, Act, str]]:
    """Return name, target, act and the floor's path of each row, with a battle for each connection."""
    from django.test import Client

    from accounts.services.tokens import issue_api_token
    from tests.duels.fights import Fight, start_fight
    from tests.scenes import make_mage

    now = datetime.now(UTC)

    def begin(name: str) -> Fight:
        fight = start_fight(make_mage(f"{name}_left"), make_mage(f"{name}_right"))
        for _turn in range(EARLY):
            for mage in fight.names:
                fight.order(mage, NOTHING, now=now)
        return fight

    # Forms go to battles of their own, whose turns stay open.
    fights = [begin(f"Form_{number}") for number in range(CONNECTIONS)]
    stages = [str(fight.key()) for fight in fights]
    resolving = [begin(f"Api_{number}") for number in range(CONNECTIONS)]
    programs = [
        [issue_api_token(user=fight.user(name), name="bench", now=now)[1] for name in fight.names]
        for fight in resolving
    ]
    cookies = []
    for fight in fights:
        client = Client()
        client.force_login(fight.user(fight.names[0]))
        cookies.append(f"csrftoken={CSRF}; " + "; ".join(f"{one.key}={one.value}" for one in client.cookies.values()))

    def read(path: str, line: Line, number: int) -> int:
        line.ask(write_request("GET", path.format(fights[number].number), Cookie=cookies[number]))
        return 1

    def order(sides: tuple[int, ...], line: Line, number: int) -> int:
        for side in sides:
            line.ask(
                write_request(
                    "POST",
                    f"/api/battles/{resolving[number].number}/orders/",
                    json.dumps({"orders": NOTHING, "ready": True}).encode(),
                    Authorization=f"Bearer {programs[number][side]}",
                    Content_Type="application/json",
                )
            )
        return len(sides)

    def send_form(line: Line, number: int) -> int:
        fight = fights[number]
        fields = {"act": "ready", "mage": fight.names[0], "stage": stages[number], **ORDERS}
        line.ask(
            write_request(
                "POST",
                f"/battles/{fight.number}/?fragment=board",
                urlencode({**fields, "csrfmiddlewaretoken": CSRF}).encode(),
                Cookie=cookies[number],
                Content_Type="application/x-www-form-urlencoded",
            )
        )
        return 1

    def like(name: str) -> str:
        row = counted[name]
        return f"/read/{row.queries}/{row.size}/"

    return [
        ("home", 1.5, partial(read, "/"), like("home")),
        ("player's page", 1.5, partial(read, "/battles/{}/"), like(f"player's page, turn {EARLY}")),
        (FIRST, 4, partial(order, (0,)), "/update/"),
        (SECOND, 8, partial(order, (0, 1)), "/update/"),
        ("form submit with its fragment", 10, send_form, "/update/"),
    ]


def write_request(method: str, path: str, body: bytes = b"", **head: str) -> bytes:
    lines = {"Host": HOST, "Content-Length": str(len(body)), **head}
    text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode() + body


def measure(work: list[tuple[str, float, Act, str]], ours: int, floor: int, rounds: int, seconds: float) -> None:
    """Ask for every row and its floor in turn, and print the medians of the rounds."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name, *_ in work}
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        for turn in range(rounds + 1):
            for name, _target, act, path in work:
                for side, (port, does) in enumerate(((ours, act), (floor, ask_floor(path)))):
                    rate = count_answers(pool, port, does, seconds)
                    if turn:  # the first round fills the caches
                        found[name][side].append(rate)
    print(f"{rounds} rounds, {CONNECTIONS} connections, load {os.getloadavg()[0]:.1f}")
    print(HEAD)
    ours_alone = {name: statistics.median(rates) for name, (rates, _) in found.items()}
    ours_alone[SECOND] = 1 / (2 / ours_alone[SECOND] - 1 / ours_alone[FIRST])
    for name, target, *_ in work:
        mine, bare = ours_alone[name], statistics.median(found[name][1])
        x = bare / mine
        add(Measured(f"{name}, over HTTP", f"{mine:.0f} /s", f"{bare:.0f} /s", x, f"≤ {target:g} x", x <= target))


def ask_floor(path: str) -> Act:
    request = write_request("GET", path)

    def act(line: Line, _number: int) -> int:
        line.ask(request)
        return 1

    return act


def count_answers(pool: ThreadPoolExecutor, port: int, act: Act, seconds: float) -> float:
    """Return how many requests a second are answered when every connection asks again as soon as it has its answer."""
    with ExitStack() as stack:
        lines = [Line(port) for _ in range(CONNECTIONS)]
        for line in lines:
            stack.enter_context(line.socket)
        begin = time.perf_counter()

        def run(number: int) -> int:
            done = 0
            while time.perf_counter() - begin < seconds:
                done += act(lines[number], number)
            return done

        total = sum(pool.map(run, range(CONNECTIONS)))
        return total / (time.perf_counter() - begin)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
