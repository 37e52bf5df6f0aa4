"""The WebSocket of a battle page."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from channels.db import database_sync_to_async
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

from duels.fragments import get_fragment, shelf
from duels.models import Battle, ChatLine
from duels.wakeups import channel_of
from duels.watcher import NOTHING_THERE, SESSION_ENDED, Watcher

__all__ = ["NO_BATTLE", "SESSION_ENDED", "BattleWatcher"]

NO_BATTLE = NOTHING_THERE


class BattleWatcher(Watcher):
    """The socket of one page that watches one battle.

    Everyone is told that the battle has changed. Those who are not logged in all see the same: it is drawn once in this
    process and sent to them, so that they need not ask for it. Nobody else gets anything but the hint.
    """

    channel_of = staticmethod(channel_of)

    def look_up(self) -> bool:
        return Battle.objects.filter(number=self.number).exists()

    def write_frame(self) -> dict[str, Any]:
        return {"battle": self.number, "changed": True}

    @classmethod
    async def note(cls, sockets: Sequence[Watcher], note: dict[str, Any]) -> None:
        """Say that a room has a new line, to those who read it: only that, and each page asks for what it may see."""
        players, room = note.get("players"), note.get("room")
        readers = [
            socket
            for socket in sockets
            if players is None or (socket.scope["user"].pk in players) == (room == ChatLine.Room.PLAYERS)
        ]
        if readers:
            await cls.send_all(readers, json.dumps({"battle": sockets[0].number, "chat": True}))

    @classmethod
    async def follow_up(cls, sockets: Sequence[Watcher]) -> None:
        strangers = [socket for socket in sockets if not socket.scope["user"].is_authenticated]
        if not strangers:
            return
        number = strangers[0].number
        shelf.forget(number)
        by_language = defaultdict(list)
        for socket in strangers:
            by_language[find_language(socket.scope)].append(socket)
        for language, readers in by_language.items():
            page = await database_sync_to_async(get_fragment)(number, language)
            if page is not None:
                told = {"battle": number, "version": page.version, "parts": list(page.changed), "html": page.html}
                await cls.send_all(readers, json.dumps(told))


def find_language(scope: Any) -> str:
    """Return the language of a page that is not logged in, as a request from it would have it."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    headers = dict(scope["headers"])
    request.META = {"HTTP_ACCEPT_LANGUAGE": headers.get(b"accept-language", b"").decode("latin-1")}
    return get_language_from_request(request)
