"""The class for an order: one entry of the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from email_gateway.conversation import Conversation

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# "anyone" needs no proof; "player" a USER line or a reply address; "mage" a block that GAME begins.
Who = Literal["anyone", "player", "mage"]
# Carries out the order, given the words after the keyword, and returns the sentences that confirm it; raises
# OrderRejected.
Handler = Callable[[Conversation, str], list[str]]


@dataclass(frozen=True)
class Order:
    """An order: its name and other names, how it is written, who may give it, the service it calls (dotted name), what
    HELP says, and the clause of the rules it comes from. `more` writes a table that HELP adds for this order alone.
    `handle` is None for orders that are part of a block."""

    name: str
    grammar: str
    who: Who
    service: str
    help: "StrOrPromise"
    clause: str
    handle: Handler | None = None
    synonyms: tuple[str, ...] = ()
    example: str = ""
    more: Callable[[], str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.synonyms)
