"""The WebSocket of a battle page."""

from typing import Any

from duels.models import Battle
from duels.wakeups import group_of
from duels.watcher import NOTHING_THERE, SESSION_ENDED, Watcher

__all__ = ["NO_BATTLE", "SESSION_ENDED", "BattleWatcher"]

NO_BATTLE = NOTHING_THERE


class BattleWatcher(Watcher):
    """The socket of one page that watches one battle."""

    group_of = staticmethod(group_of)

    @staticmethod
    def exists(number: int) -> bool:
        return Battle.objects.filter(number=number).exists()

    async def battle_changed(self, _message: dict[str, Any]) -> None:
        await self.tell({"battle": self.number, "changed": True})
