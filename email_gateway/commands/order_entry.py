"""The class for an order: one entry of the table."""

import re
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
OPTIONAL = re.compile(r" \{[^{}]*\}")


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

    def needs_words(self, kind: str) -> bool:
        """Return whether the keyword alone is no order in an email to a reply address of this kind ("" for none)."""
        return "<" in OPTIONAL.sub("", shorten_grammar(self.grammar, kind))


def shorten_grammar(grammar: str, kind: str) -> str:
    """Return how an order is written in an email to a reply address of this kind: without the battle or the challenge
    that the address is for. A challenge says which mage is meant, too, if it can be only one."""
    known = {"turn": " <battle>", "challenge": " <number> <mage>"}.get(kind)
    # Of two numbers, both are needed.
    return grammar if known is None or "<battle> <days>" in grammar else grammar.replace(known, "", 1)
