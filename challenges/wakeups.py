"""Tell open pages that a challenge or the lobby has changed, and the bots' worker that bots may join a challenge."""

from collections.abc import Sequence

from operations.wakeups import on_commit_once, publish_on_commit, wake_on_commit
from operations.workers import wake_worker

LOBBY = "lobby"


def channel_of(number: int) -> str:
    return f"challenge.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of challenge `number` when the current transaction commits; never if it rolls back."""
    wake_on_commit(channel_of(number))


def wake_bots_on_commit() -> None:
    """Have the bots' worker check the challenges when the current transaction commits; a sweep does it anyway."""
    on_commit_once(wake_worker, "challenges.tasks.seat_bots")


def wake_room_on_commit(line: int, *, deaf: Sequence[int]) -> None:
    """Tell the lobby's pages, when the current transaction commits, that this line is written or removed; never `deaf`
    users, who don't see what its writer writes."""
    publish_on_commit(LOBBY, {"note": {"line": line, "deaf": deaf}})
