"""The WebSocket of a challenge's page."""

from typing import Any

from challenges.selectors import challenge_exists
from challenges.wakeups import group_of
from duels.watcher import Watcher


class ChallengeWatcher(Watcher):
    """The connection of one page that shows one challenge."""

    group_of = staticmethod(group_of)

    @staticmethod
    def exists(number: int) -> bool:
        return challenge_exists(number=number)

    async def challenge_changed(self, _message: dict[str, Any]) -> None:
        await self.tell({"challenge": self.number, "changed": True})
