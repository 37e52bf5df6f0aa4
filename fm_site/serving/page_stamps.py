"""Every web process shows that it serves pages while a live battle is open: every five seconds it asks itself for one
that reads the database, and stamps the database if it gets one.

The request takes the path of every other, through the event loop, the queue and a page thread, so a process that hangs
or whose database hangs does not stamp. Neither broker nor worker is needed.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.util import setup_testing_defaults

import structlog
from channels.db import database_sync_to_async
from django.db import DatabaseError, connection
from django.utils import timezone

from duels.selectors.live import is_any_live_battle_played
from duels.services.clocks.outages import note_served_page
from fm_site.upkeep.health_probes import READY
from operations.selectors import LONGEST_PAGE_SILENCE, PAGE_STAMP_EVERY
from operations.web.asgi import Application, Message, Receive, Scope, Send

log = structlog.get_logger(__name__)

Wsgi = Callable[..., Iterable[bytes]]

EVERY_SECONDS = PAGE_STAMP_EVERY.total_seconds()


class PageStamps:
    """ASGI application for the "lifespan" of the server around the ASGI application `pages`: stamps from the start of
    the process to its end."""

    def __init__(self, pages: Application, *, every_seconds: float = EVERY_SECONDS) -> None:
        self.pages, self.every_seconds = pages, every_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # the server starts
        stamping = asyncio.get_running_loop().create_task(self.stamp_for_ever())
        await send({"type": "lifespan.startup.complete"})
        await receive()  # the server stops
        stamping.cancel()
        await send({"type": "lifespan.shutdown.complete"})

    async def stamp_for_ever(self) -> None:
        while True:
            try:
                await self.stamp()
            except Exception as error:  # the database is down, and pages are not served for the same reason
                log.warning("page stamp not written", error=type(error).__name__)
            await asyncio.sleep(self.every_seconds)

    async def stamp(self) -> None:
        """Serve a page and stamp that, if a live battle is played."""
        if not await database_sync_to_async(is_any_live_battle_played)():
            return
        asked_at = timezone.now()
        async with asyncio.timeout(LONGEST_PAGE_SILENCE.total_seconds()):
            status = await self.serve_page()
        if status == 200:
            await database_sync_to_async(note_served_page)(served_at=asked_at, now=timezone.now())
        else:
            log.warning("page stamp not written", status=status)

    async def serve_page(self) -> int:
        """Return the status of the page that says whether this process can serve pages."""
        statuses: list[int] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": READY,
            "raw_path": READY.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 0),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        await self.pages(scope, receive, send)
        return statuses[0]


class StampedPages:
    """WSGI application around `pages` for servers that know no lifespan: each process stamps from its first request on,
    in a thread of its own."""

    def __init__(self, pages: Wsgi, *, every_seconds: float = EVERY_SECONDS) -> None:
        self.pages, self.every_seconds = pages, every_seconds
        self.stamping_in: int | None = None
        self.has_ended = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if self.stamping_in != os.getpid():  # a server may fork after it has loaded the site
            self.stamping_in = os.getpid()
            threading.Thread(target=self.stamp_for_ever, name="Page stamps", daemon=True).start()
        return self.pages(environ, start_response)

    def stamp_for_ever(self) -> None:
        while True:
            try:
                self.stamp()
            except DatabaseError as error:
                log.warning("page stamp not written", error=type(error).__name__)
                connection.close()
            if self.has_ended.wait(self.every_seconds):
                connection.close()
                return

    def stamp(self) -> None:
        """Serve a page and stamp that, if a live battle is played."""
        if not is_any_live_battle_played():
            return
        asked_at = timezone.now()
        status = self.serve_page()
        if status.startswith("200"):
            note_served_page(served_at=asked_at, now=timezone.now())
        else:
            log.warning("page stamp not written", status=status)

    def serve_page(self) -> str:
        """Return the status of the page that says whether this process can serve pages."""
        statuses: list[str] = []
        environ: dict[str, Any] = {"PATH_INFO": READY, "HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1"}
        setup_testing_defaults(environ)
        answer = self.pages(environ, lambda status, headers, fault=None: statuses.append(status))
        for _ in answer:
            pass
        if hasattr(answer, "close"):
            answer.close()
        return statuses[0]
