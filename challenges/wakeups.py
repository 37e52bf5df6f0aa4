"""Tell open pages that a challenge has changed, and the bots' worker that bots may join one."""

from operations.wakeups import on_commit_once, wake_on_commit
from operations.workers import wake_worker


def channel_of(number: int) -> str:
    return f"challenge.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of challenge `number` when the current transaction commits; never if it rolls back."""
    wake_on_commit(channel_of(number))


def wake_bots_on_commit() -> None:
    """Have the bots' worker check the challenges when the current transaction commits; a sweep does it anyway."""
    on_commit_once(wake_worker, "challenges.tasks.seat_bots")
