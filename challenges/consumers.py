"""The socket of the page of a challenge."""

from typing import Any

from challenges.models import Challenge
from challenges.wakeups import group_of
from duels.watcher import Watcher


class ChallengeWatcher(Watcher):
    """One page that watches one challenge."""

    group_of = staticmethod(group_of)

    @staticmethod
    def exists(number: int) -> bool:
        return Challenge.objects.filter(number=number).exists()

    async def challenge_changed(self, _message: dict[str, Any]) -> None:
        await self.tell({"challenge": self.number, "changed": True})
