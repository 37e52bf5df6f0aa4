"""The open pages of this process that are counted: spectators' pages of a battle, and boards on other pages.

One message every RENEW_SECONDS tells Valkey of all of them, and it needs no query.
"""

import asyncio
from collections import defaultdict
from uuid import uuid4
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

from operations.presence import SEEN_SECONDS, lose_page, see_pages

# So that one late message loses nobody.
RENEW_SECONDS = SEEN_SECONDS / 3


class OpenPages:
    """The counted pages of this process and event loop, by place, under random names."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = defaultdict(set)
        self._renewal: asyncio.Task[None] | None = None

    async def open(self, place: str) -> str:
        """Count a page at `place` from now on, and return its name."""
        name = uuid4().hex
        self._names[place].add(name)
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.ensure_future(self._renew())
        await database_sync_to_async(see_pages)({place: [name]})
        return name

    async def close(self, place: str, name: str) -> None:
        names = self._names.get(place, set())
        names.discard(name)
        if not names:
            self._names.pop(place, None)
        await database_sync_to_async(lose_page)(place, name)

    async def _renew(self) -> None:
        while self._names:
            await asyncio.sleep(RENEW_SECONDS)
            await database_sync_to_async(see_pages)({place: tuple(names) for place, names in self._names.items()})


_pages: WeakKeyDictionary[asyncio.AbstractEventLoop, OpenPages] = WeakKeyDictionary()


def open_pages() -> OpenPages:
    return _pages.setdefault(asyncio.get_running_loop(), OpenPages())
