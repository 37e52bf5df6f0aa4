"""What the lobby costs with many people in it: python -m benchmarks.lobby [--pages N] [--lines N]

On a PostgreSQL and Valkey of its own, with the site's sockets under uvicorn in this process. N users have the lobby
open. Then somebody writes lines, and somebody else arrives: how soon every page has that, over a bare server that
writes the same bytes to as many sockets, and the processor time of server and clients together.

Counts queries: what happens in the lobby may not cost more of them with N pages than with ten. More is a fault.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from benchmarks.floor.sockets import push
from benchmarks.own_site import run_own_site
from benchmarks.rows import add_figure, add_quotient
from benchmarks.viewers import PageSocket, settle_down

FEW = 10
HELD_SECONDS, CPU_SECONDS = 2.0, 2.0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lobby", description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--lines", type=int, default=5)
    options = parser.parse_args(arguments)
    with run_own_site(ALLOWED_HOSTS="127.0.0.1"):
        writer, cookies = make_people(options.pages)
        return asyncio.run(measure(writer, cookies, options.lines))


def make_people(count: int) -> tuple[Any, list[str]]:
    """Return someone who may write, and the cookies of so many people who have written."""
    from allauth.account.models import EmailAddress
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.utils import timezone

    from accounts.models import User
    from challenges.models import RoomLine
    from tests.duels.fights import start_fight
    from tests.scenes import make_mage

    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Bung", "P/P", confirmed=True)
    fight.order("Froodal", "D/W")
    writer = fight.user("Froodal")
    EmailAddress.objects.create(user=writer, email="f@example.org", verified=True, primary=True)
    now = timezone.now()
    names = [f"Visitor{number:05}" for number in range(count)]
    people = User.objects.bulk_create(User(username=name, created_at=now, last_active_at=now) for name in names)
    RoomLine.objects.bulk_create(RoomLine(writer=each, text="hello", once="1", written_at=now) for each in people)
    cookies = []
    for each in people:
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(each.pk), settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = each.get_session_auth_hash()
        session.save()
        cookies.append(f"{settings.SESSION_COOKIE_NAME}={session.session_key}")
    return writer, cookies


async def measure(writer: Any, cookies: list[str], lines: int) -> int:
    """Print the rows; return 1 if the number of queries depends on the number of pages."""
    import uvicorn

    from fm_site.asgi import application

    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="critical", lifespan="off", backlog=2048))
    serving = asyncio.ensure_future(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    pages = await connect(port, cookies[:FEW])
    few = await say(writer, pages, lines)
    begin = time.perf_counter()
    pages += await connect(port, cookies[FEW:])
    print(f"{len(pages)} pages opened in {time.perf_counter() - begin:.1f} s")
    many = await say(writer, pages, lines)
    floor = (await push(len(pages), max(page.size for page in pages)))[-1]
    work = f"a line to {len(pages)} pages of the lobby"
    add_quotient(f"{work}, over raw sockets", 1000 * many.held, 1000 * floor, "ms")
    add_figure(f"{work}, until all hold it", many.held, "s", most=HELD_SECONDS)
    add_figure("... processor time, with that of the clients", many.cpu, "s", most=CPU_SECONDS)
    add_figure(f"... queries ({few.queries} with {FEW} pages)", many.queries, "", most=few.queries)
    server.should_exit = server.force_exit = True
    await serving
    return int(many.queries > few.queries)


class Said:
    """The medians of some lines: seconds until every page held one, and processor time; and the queries of one during
    which nothing else happened."""

    def __init__(self, rows: list[tuple[float, float, int]]) -> None:
        self.held, self.cpu = (statistics.median(column) for column in list(zip(*rows, strict=True))[:2])
        self.queries = min(row[2] for row in rows)


async def say(writer: Any, pages: list[PageSocket], lines: int) -> Said:
    """Write lines, each when all is quiet."""
    from channels.db import database_sync_to_async

    rows = []
    for number in range(lines):
        await settle_down(pages)
        for page in pages:
            page.hints, page.pages = [], []
        with count_queries() as count:
            began, cpu = time.perf_counter(), time.process_time()
            await database_sync_to_async(write)(writer, f"line {number} to {len(pages)}")
            await settle_down(pages)
            spent, queries = time.process_time() - cpu, count()
        came = [page.pages[0] - began for page in pages if page.pages]
        assert len(came) == len(pages), (len(came), len(pages))
        rows.append((max(came), spent, queries))
    return Said(rows)


def write(writer: Any, text: str) -> None:
    from django.core.cache import cache
    from django.utils import timezone

    from challenges.models import RoomLine
    from challenges.services.room import write_line

    cache.clear()  # ten lines a minute
    write_line(writer=writer, text=text, via=RoomLine.Via.PAGE, once=text, now=timezone.now())


@contextmanager
def count_queries() -> Any:
    """Count the queries of all threads; yields what returns the number so far."""
    from django.db.backends.utils import CursorWrapper

    usual, number = CursorWrapper.execute, 0

    def execute(self: Any, *arguments: Any) -> Any:
        nonlocal number
        number += 1
        return usual(self, *arguments)

    CursorWrapper.execute = execute  # type: ignore[assignment,method-assign]
    try:
        counted: Callable[[], int] = lambda: number  # noqa: E731
        yield counted
    finally:
        CursorWrapper.execute = usual  # type: ignore[method-assign]


async def connect(port: int, cookies: list[str]) -> list[PageSocket]:
    """Open a page of the lobby for each of these people."""
    place = f"127.0.0.1:{port}"
    pages = [PageSocket() for _ in cookies]
    for at in range(0, len(pages), 50):
        some = zip(pages[at : at + 50], cookies[at : at + 50], strict=True)
        await asyncio.gather(
            *(
                page.open(port, "/ws/lobby/", f"Host: {place}\r\nOrigin: http://{place}\r\nCookie: {cookie}\r\n")
                for page, cookie in some
            )
        )
    return pages


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
