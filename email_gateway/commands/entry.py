"""What an order is: one entry of the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from email_gateway.conversation import Conversation

# "anyone" needs no proof; "player" a USER line or a reply address; "mage" a block that GAME begins.
Who = Literal["anyone", "player", "mage"]
# Does what the words after the keyword ask for and returns the sentences that confirm it; raises OrderRejected.
Handler = Callable[[Conversation, str], list[str]]


@dataclass(frozen=True)
class Order:
    """An order: its name and other names, how it is written, who may give it, the service it calls (dotted name), what
    HELP says, and the clause of the rules it comes from. `more` is a table that HELP adds when asked for this order.
    `handle` is None for orders that are read as part of a block."""

    name: str
    grammar: str
    who: Who
    service: str
    help: str
    clause: str
    handle: Handler | None = None
    synonyms: tuple[str, ...] = ()
    example: str = ""
    more: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.synonyms)
