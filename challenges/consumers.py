"""The WebSocket of a challenge's page."""

from typing import Any

from django.urls import path

from accounts.live.watcher import Watcher
from challenges.selectors.lists import challenge_exists
from challenges.wakeups import channel_of


class ChallengeWatcher(Watcher):
    """The connection of one page that shows one challenge."""

    channel_of = staticmethod(channel_of)

    def look_up(self) -> bool:
        return challenge_exists(number=self.number)

    def write_frame(self) -> dict[str, Any]:
        return {"challenge": self.number, "changed": True}


websocket_urlpatterns = [path("ws/challenges/<int:number>/", ChallengeWatcher.as_asgi())]
