"""While somebody's email is answered: what the answer may tell them need not be written out in another email too."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from fm_site.notifications.models import Delivery, Notice


@dataclass
class Answered:
    """Whose email is answered (their id, once it is known), and the notices of `kinds` to them since then.

    Their emails in `unwritten` wait until it is certain that the answer does not tell what they would.
    """

    kinds: Collection[str]
    user: int | None = None
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
def answering(*, kinds: Collection[str], write: Callable[..., object]) -> Iterator[Answered]:
    """Let emails of `kinds` to the writer of an email wait; at the end, `write` those of which the answer told nothing.

    To be used in the transaction that stores the answer.
    """
    answered = Answered(kinds)
    mark = _answered.set(answered)
    try:
        yield answered
    finally:
        _answered.reset(mark)
    for delivery in answered.unwritten:
        if delivery.notice_id not in answered.told:
            write(delivery=delivery)
