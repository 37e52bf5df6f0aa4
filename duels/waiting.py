"""The tasks that wait for the reader of a page, read once for each request."""

from dataclasses import dataclass

from django.http import HttpRequest

from duels.selectors import OwedBattle, count_unseen_results, list_owed_battles

KEPT = "_what_waits"


@dataclass(frozen=True)
class Waiting:
    """The battles that wait for orders of the reader, the most urgent first, and how many results are unseen."""

    battles: tuple[OwedBattle, ...] = ()
    results: int = 0

    @property
    def count(self) -> int:
        return len(self.battles) + self.results


def find_waiting(request: HttpRequest) -> Waiting:
    """Return the tasks that wait for the user of this request; none for a stranger."""
    kept: Waiting | None = getattr(request, KEPT, None)
    if kept is None:
        user = request.user
        kept = (
            Waiting(tuple(list_owed_battles(user)), count_unseen_results(user)) if user.is_authenticated else Waiting()
        )
        setattr(request, KEPT, kept)
    return kept


def cache_waiting(request: HttpRequest, waiting: Waiting) -> None:
    """Store a view's result, so that other parts of the page need not read it again."""
    setattr(request, KEPT, waiting)
