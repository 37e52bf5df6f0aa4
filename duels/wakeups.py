"""Wake-ups notify open pages of changes and the bots' worker of due orders, without saying more: each then fetches
what it may see. Commits are counted for Prometheus here too."""

from collections.abc import Sequence

from django.core.cache import cache

from operations.metrics import ORDERS, TURNS_RESOLVED, count_on_commit
from operations.registry import ANALYSIS_TASK
from operations.wakeups import on_commit_once, publish_on_commit, wake_on_commit
from operations.workers import wake_worker

MOST_OFTEN_SECONDS = 2


def channel_of(number: int) -> str:
    return f"battle.{number}"


def board_channel_of(number: int) -> str:
    return f"board.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of battle `number`, and of boards that show it elsewhere, when the current transaction commits:
    once, however often this is called."""
    wake_on_commit(channel_of(number))
    wake_boards_on_commit(number)


def wake_players_on_commit(number: int, players: Sequence[int]) -> None:
    """Wake only the pages of these players (user ids) of battle `number` when the current transaction commits."""
    publish_on_commit(channel_of(number), {"note": {"changed": list(players)}})


def wake_boards_on_commit(number: int) -> None:
    """Wake boards that show battle `number` on other pages (0: the exhibition) when the current transaction commits."""
    wake_on_commit(board_channel_of(number))


def wake_chat_on_commit(number: int, *, room: str, players: Sequence[int] | None, deaf: Sequence[int]) -> None:
    """Notify pages of battle `number`, when the current transaction commits, that `room` has a new line.

    `players` (user ids) are notified of the players' room, all others of the spectators' room; with None, everyone of
    both. Never `deaf` users, who don't see what this writer writes.
    """
    publish_on_commit(channel_of(number), {"note": {"room": room, "players": players, "deaf": deaf}})


def wake_bots_on_commit() -> None:
    """Have the bots' worker look for due orders when the current transaction commits; a sweep finds them anyway."""
    on_commit_once(wake_worker, "duels.tasks.answer_for_bots")


def wake_overdue_clocks() -> None:
    """Have a worker process deadlines now, at most once in MOST_OFTEN_SECONDS; a sweep finds them anyway."""
    if cache.add("overdue-clocks", 1, MOST_OFTEN_SECONDS):
        wake_worker("duels.tasks.sweep_deadlines")


def wake_rating_on_commit() -> None:
    """Have a worker rate finished battles when the current transaction commits; a sweep finds them anyway."""
    on_commit_once(wake_worker, "ladder.tasks.sweep_unrated_battles")


def wake_analysis_on_commit() -> None:
    """Have a worker analyse battles that have just ended when the current transaction commits; a sweep finds them
    anyway."""
    on_commit_once(wake_worker, ANALYSIS_TASK)


def count_orders_on_commit(via: str) -> None:
    """Count a sheet of orders that came by web, mail or api, or from a bot or janitor."""
    count_on_commit(ORDERS, via=via)


def count_turn_on_commit() -> None:
    count_on_commit(TURNS_RESOLVED)
