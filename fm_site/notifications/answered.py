"""While somebody's email is answered: what the answer may tell them need not be written out in another email too."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from fm_site.notifications.models import Delivery, Notice


@dataclass
class Answered:
    """Whose email is answered (their id), and the notices of `kinds` to them since then.

    Their emails in `unwritten` wait until it is certain that the answer does not tell what they would.
    """

    user: int
    kinds: Collection[str]
    notices: list[Notice] = field(default_factory=list)
    unwritten: list[Delivery] = field(default_factory=list)
    told: set[int] = field(default_factory=set)

    def has_news(self, battle: int) -> bool:
        """Say whether a notice about this battle was written. If it is undone since, it still counts."""
        return any(notice.facts.get("battle") == battle for notice in self.notices)


_answered: ContextVar[Answered | None] = ContextVar("answered", default=None)


def find_answered() -> Answered | None:
    """Return what is known of the email that is being answered; None outside of `answering`."""
    return _answered.get()


@contextmanager
def collecting(answered: Answered) -> Iterator[None]:
    """Collect what is written to the writer in this context."""
    mark = _answered.set(answered)
    try:
        yield
    finally:
        _answered.reset(mark)
