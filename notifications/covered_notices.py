"""Collects notices while a user's email is answered: the answer may make separate emails unnecessary."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from notifications.models import Delivery, Notice


@dataclass
class PendingAnswer:
    """The answer to an email of `user` (their id) while it is prepared, and the notices of `kinds` written to them.

    The emails in `unwritten` wait until the answer is complete. Those of `covered` notices (their ids) are unnecessary:
    the answer says the same.
    """

    user: int
    kinds: Collection[str]
    notices: list[Notice] = field(default_factory=list)
    unwritten: list[Delivery] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)

    def has_news(self, battle: int) -> bool:
        """Return whether a notice about this battle was written. It counts even if it has been undone since."""
        return any(notice.facts.get("battle") == battle for notice in self.notices)


_pending: ContextVar[PendingAnswer | None] = ContextVar("pending_answer", default=None)


def find_pending_answer() -> PendingAnswer | None:
    """Return the answer that is being prepared; None outside `answering`."""
    return _pending.get()


@contextmanager
def collecting(pending: PendingAnswer) -> Iterator[None]:
    """Collect in `pending` the notices written in this context."""
    token = _pending.set(pending)
    try:
        yield
    finally:
        _pending.reset(token)
