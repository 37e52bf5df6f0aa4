"""Collects notices while a user's email is answered: the answer may make separate emails unnecessary."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from fm_site.notifications.models import Delivery, Notice


@dataclass
class Answered:
    """The user whose email is being answered (their id), and the notices of `kinds` to them meanwhile.

    The emails in `unwritten` wait until it is certain that the answer does not make them unnecessary.
    """

    user: int
    kinds: Collection[str]
    notices: list[Notice] = field(default_factory=list)
    unwritten: list[Delivery] = field(default_factory=list)
    told: set[int] = field(default_factory=set)

    def has_news(self, battle: int) -> bool:
        """Return whether a notice about this battle was written. It counts even if it has been undone since."""
        return any(notice.facts.get("battle") == battle for notice in self.notices)


_answered: ContextVar[Answered | None] = ContextVar("answered", default=None)


def find_answered() -> Answered | None:
    """Return the state of the email being answered; None outside `answering`."""
    return _answered.get()


@contextmanager
def collecting(answered: Answered) -> Iterator[None]:
    """Collect what is written to the writer in this context."""
    mark = _answered.set(answered)
    try:
        yield
    finally:
        _answered.reset(mark)
