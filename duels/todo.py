"""What a page's reader still has to do, read once for each request."""

from dataclasses import dataclass

from django.http import HttpRequest

from duels.selectors.battle_lists import OwedBattle, list_owed_battles
from duels.selectors.result_news import count_unseen_results

CACHED_AS = "_todo"


@dataclass(frozen=True)
class Todo:
    """The battles that wait for orders of the reader, the most urgent first, and how many results are unseen."""

    battles: tuple[OwedBattle, ...] = ()
    results: int = 0

    @property
    def count(self) -> int:
        return len(self.battles) + self.results


def read_todo(request: HttpRequest) -> Todo:
    """Return what the user of this request has to do; nothing if they are not logged in."""
    todo: Todo | None = getattr(request, CACHED_AS, None)
    if todo is None:
        user = request.user
        todo = Todo(tuple(list_owed_battles(user)), count_unseen_results(user)) if user.is_authenticated else Todo()
        cache_todo(request, todo)
    return todo


def cache_todo(request: HttpRequest, todo: Todo) -> None:
    """Store what a view has read, so that other parts of the page need not read it again."""
    setattr(request, CACHED_AS, todo)
