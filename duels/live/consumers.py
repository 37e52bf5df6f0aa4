"""The WebSockets of a battle page, and of a board that shows a battle on another page."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from channels.db import database_sync_to_async
from django.urls import path

from accounts.live.open_pages import open_pages
from accounts.live.watcher import NOTHING_THERE, SESSION_ENDED, Watcher, find_language
from duels.live.fragments import find_fragment, fragment_cache
from duels.live.who_is_here import RENEW_SECONDS, announce_arrival, announce_departure, find_here, mark_here
from duels.models import Battle, ChatLine, Combatant
from duels.selectors.spectators import EXHIBITION, place_of_battle, place_of_board
from duels.wakeups import board_channel_of, channel_of

__all__ = ["NO_BATTLE", "SESSION_ENDED", "BattleWatcher"]

NO_BATTLE = NOTHING_THERE
# What a page sends when its reader begins and stops seeing it (the browser's `visibilityState`).
VISIBLE, HIDDEN = "visible", "hidden"


class BattleWatcher(Watcher):
    """The socket of one page that watches one battle.

    Every page gets a message that the battle has changed. Visitors who are not logged in all see the same, so it is
    rendered once in this process and sent along. All others fetch what they may see.
    """

    channel_of = staticmethod(channel_of)

    is_player = False
    # The name under which a spectator's page is counted; empty for a player's.
    page_name = ""
    # A page in a hidden tab says so: its player is not here.
    is_visible = True
    # The mages of the other players who are here, as last sent to this page.
    sent_here: frozenset[str] = frozenset()
    _renewal: "asyncio.Task[None] | None" = None

    def look_up(self) -> bool:
        user = self.scope["user"]
        self.is_player = (
            user.is_authenticated and Combatant.objects.filter(battle__number=self.number, mage__user=user.pk).exists()
        )
        return self.is_player or Battle.objects.filter(number=self.number).exists()

    async def connect(self) -> None:
        await super().connect()
        if self.is_player:
            await database_sync_to_async(announce_arrival)(self.number, self.scope["user"].pk)
            self._renewal = asyncio.ensure_future(self._renew_here())
        elif self.is_let_in:
            self.page_name = await open_pages().open(place_of_battle(self.number))

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.page_name:
            await open_pages().close(place_of_battle(self.number), self.page_name)
        if self._renewal is not None:
            self._renewal.cancel()
            await database_sync_to_async(announce_departure)(self.number, self.scope["user"].pk)

    async def _renew_here(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            if self.is_visible:
                await database_sync_to_async(mark_here)(self.number, [self.scope["user"].pk])

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Note whether a player sees the page. Ignore everything else: orders go through the page or the API."""
        if not self.is_player or text_data not in (VISIBLE, HIDDEN) or self.is_visible == (text_data == VISIBLE):
            return
        self.is_visible = text_data == VISIBLE
        announce = announce_arrival if self.is_visible else announce_departure
        await database_sync_to_async(announce)(self.number, self.scope["user"].pk)

    def write_frame(self) -> dict[str, Any]:
        return {"battle": self.number, "changed": True}

    @classmethod
    async def note(cls, sockets: Sequence[Watcher], note: dict[str, Any]) -> None:
        """Pass on that a room has a new line to its readers, whose pages fetch it; or to players alone, who is here or
        that their pages have changed."""
        if "changed" in note:
            mine = [socket for socket in sockets if socket.user_id in note["changed"]]
            if mine:
                await cls.send_all(mine, json.dumps(mine[0].write_frame()))
            return
        if "here" in note:
            await cls.send_here([each for each in sockets if isinstance(each, BattleWatcher) and each.is_player])
            return
        players, room, deaf = note.get("players"), note.get("room"), note.get("deaf", ())
        readers = [
            socket
            for socket in sockets
            if (players is None or (socket.user_id in players) == (room == ChatLine.Room.PLAYERS))
            and socket.user_id not in deaf
        ]
        if readers:
            await cls.send_all(readers, json.dumps({"battle": sockets[0].number, "chat": True}))

    @classmethod
    async def send_here(cls, players: Sequence["BattleWatcher"]) -> None:
        """Send players' pages the names of the other players' mages who are here, if that has changed."""
        if not players:
            return
        number = players[0].number
        seen = {each.scope["user"].pk for each in players if each.is_visible}
        await database_sync_to_async(mark_here)(number, seen)
        here = await database_sync_to_async(find_here)(number)
        for socket in players:
            names = frozenset(name for user, mages in here.items() if user != socket.user_id for name in mages)
            if names != socket.sent_here:
                socket.sent_here = names
                await cls.send_all([socket], json.dumps({"battle": number, "here": sorted(names)}))

    @classmethod
    async def follow_up(cls, sockets: Sequence[Watcher]) -> None:
        strangers = [socket for socket in sockets if not socket.scope["user"].is_authenticated]
        if not strangers:
            return
        number = strangers[0].number
        fragment_cache.forget(number)
        by_language = defaultdict(list)
        for socket in strangers:
            by_language[find_language(socket.scope)].append(socket)
        for language, readers in by_language.items():
            page = await database_sync_to_async(find_fragment)(number, language)
            if page is not None:
                message = {"battle": number, "version": page.version, "parts": list(page.changed), "html": page.html}
                await cls.send_all(readers, json.dumps(message))


class BoardWatcher(Watcher):
    """The socket of a board that shows a battle on another page, or the exhibition of the bots (number 0).

    It says only that the board has changed. A page whose reader does not see it closes the socket: so an open one
    means that somebody watches.
    """

    channel_of = staticmethod(board_channel_of)
    page_name = ""

    def look_up(self) -> bool:
        return self.number == EXHIBITION or Battle.objects.filter(number=self.number).exists()

    async def connect(self) -> None:
        await super().connect()
        if self.is_let_in:
            self.page_name = await open_pages().open(place_of_board(self.number))

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.page_name:
            await open_pages().close(place_of_board(self.number), self.page_name)

    def write_frame(self) -> dict[str, Any]:
        return {"board": self.number, "changed": True}


websocket_urlpatterns = [
    path("ws/battles/<int:number>/", BattleWatcher.as_asgi(), name="battle_socket"),
    path("ws/boards/<int:number>/", BoardWatcher.as_asgi(), name="board_socket"),
]
# Where reverse() looks for them.
urlpatterns = websocket_urlpatterns
