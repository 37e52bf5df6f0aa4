"""The users with a page of this process open, for the lobby: it says who is here, and never on which page.

One message every RENEW_SECONDS tells Valkey of all of them, and it needs no query.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

from accounts.live.open_pages import RENEW_SECONDS
from accounts.models import User
from operations.presence import LOBBY, see_people
from operations.wakeups import wake


def is_seen(user: object) -> bool:
    """Return whether it is noted that this user has a page open: never for guests, bots and strangers."""
    return isinstance(user, User) and user.is_active and not user.is_guest and not user.is_bot


def note_reader(user: object) -> None:
    """Note that a page of this user is open, if users like them are noted at all."""
    if isinstance(user, User) and is_seen(user):
        note_people([user.pk])


def note_people(users: Iterable[int]) -> None:
    """Note that these users have a page open, and tell the lobby's pages if one has just come."""
    if see_people(users):
        wake(LOBBY)


class PresentPeople:
    """The users with an open page in this process and event loop. Who closes a page leaves a little later, so that
    nobody disappears who only goes to another page."""

    def __init__(self) -> None:
        self._pages: Counter[int] = Counter()
        self._renewal: asyncio.Task[None] | None = None

    async def open(self, user: int) -> None:
        self._pages[user] += 1
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.ensure_future(self._renew())
        if self._pages[user] == 1:
            await database_sync_to_async(note_people)([user])

    def close(self, user: int) -> None:
        self._pages[user] -= 1
        if self._pages[user] <= 0:
            del self._pages[user]

    async def _renew(self) -> None:
        """Renew all users until none is left."""
        while self._pages:
            await asyncio.sleep(RENEW_SECONDS)
            await database_sync_to_async(note_people)(tuple(self._pages))


_people: WeakKeyDictionary[asyncio.AbstractEventLoop, PresentPeople] = WeakKeyDictionary()


def present_people() -> PresentPeople:
    return _people.setdefault(asyncio.get_running_loop(), PresentPeople())
