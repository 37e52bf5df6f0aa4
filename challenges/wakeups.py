"""Tell open pages that a challenge or the lobby has changed, and the bots' worker that bots may join a challenge."""

from operations.presence import LOBBY
from operations.wakeups import on_commit_once, wake_on_commit
from operations.workers import wake_worker


def channel_of(number: int) -> str:
    return f"challenge.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of challenge `number` and the lobby's pages when the current transaction commits; never if it
    rolls back."""
    wake_on_commit(channel_of(number))
    wake_lobby_on_commit()


def wake_lobby_on_commit() -> None:
    """Tell the lobby's pages, when the current transaction commits, that something there has changed."""
    wake_on_commit(LOBBY)


def wake_bots_on_commit() -> None:
    """Have the bots' worker check the challenges when the current transaction commits; a sweep does it anyway."""
    on_commit_once(wake_worker, "challenges.tasks.seat_bots")
