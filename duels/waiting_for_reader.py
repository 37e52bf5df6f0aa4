"""What a page's reader still has to do, read once for each request."""

from dataclasses import dataclass

from django.http import HttpRequest

from duels.selectors.battle_lists import OwedBattle, list_owed_battles
from duels.selectors.result_news import count_unseen

CACHED_AS = "_waiting_for_reader"


@dataclass(frozen=True)
class WaitingForReader:
    """The battles that wait for orders of the reader, the most urgent first; how many results and lines of their news
    are unseen, and how many messages unread."""

    battles: tuple[OwedBattle, ...] = ()
    results: int = 0
    news: int = 0
    messages: int = 0

    @property
    def count(self) -> int:
        return len(self.battles) + self.results


def read_waiting(request: HttpRequest) -> WaitingForReader:
    """Return what the user of this request has to do; nothing if they are not logged in."""
    waiting: WaitingForReader | None = getattr(request, CACHED_AS, None)
    if waiting is None:
        user = request.user
        waiting = (
            WaitingForReader(tuple(list_owed_battles(user)), *count_unseen(user))
            if user.is_authenticated
            else WaitingForReader()
        )
        cache_waiting(request, waiting)
    return waiting


def cache_waiting(request: HttpRequest, waiting: WaitingForReader) -> None:
    """Store what a view has read, so that other parts of the page need not read it again."""
    setattr(request, CACHED_AS, waiting)
