"""A site that answers over real connections, with bad weather on the way to it."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.db import connections

from tests.services.web_server import serve


class Weather:
    """ASGI application around the site: what is in `coming` happens to the next requests under `path`.

    "lost": the site answers, and the connection breaks before the answer. "break": the connection breaks after the
    first message of a stream. A number is the status of a site that is busy, and asks to wait for a second.
    """

    def __init__(self, site):
        self.site, self.coming, self.path, self.asked = site, deque(), "/api/v1/", []

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or not scope["path"].startswith(self.path):
            await self.site(scope, receive, send)
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.asked.append((asyncio.get_running_loop().time(), scope["path"], headers))
        now = self.coming.popleft() if self.coming else None
        if isinstance(now, int):
            headers = [(b"retry-after", b"1"), (b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": now, "headers": headers})
            await send({"type": "http.response.body", "body": b"busy"})
            return
        if now is None:
            await self.site(scope, receive, send)
            return
        gone = asyncio.Event()

        async def hear():
            if gone.is_set():
                return {"type": "http.disconnect"}
            return await receive()

        async def say(message):
            if now == "lost":
                return
            await send(message)
            if b"data:" in message.get("body", b""):
                gone.set()
                scope["state"]["abort"]()

        await self.site(scope, hear, say)
        if now == "lost":
            scope["state"]["abort"]()


@dataclass
class Site:
    """The running site."""

    url: str
    weather: Weather


@contextmanager
def open_site() -> Iterator[Site]:
    """Serve the site of the test's database until the block ends."""
    from fm_site.asgi import application

    weather = Weather(application)
    with serve(weather) as port:
        yield Site(f"http://127.0.0.1:{port}", weather)
    # The connection of the thread in which streams read rows: it would keep the test's database open.
    asyncio.run(sync_to_async(connections.close_all)())
