"""Events: facts, each with its audience (DESIGN: commitment 4). `narration` puts them into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

Fact = str | int | bool | None
Audience = tuple[str, ...] | None
"""The mages who may know it; None is everybody, including spectators."""

EVENTS_PER_TURN: Final = 100_000
"""More events than a turn can have: a key is the turn's `seq` times this, and the event's place in its turn from 0."""
HURTING: Final = {"hurt": "who", "stabs": "target", "strikes": "target"}
"""The events that take hit points, each with the fact that names who loses them."""


def event_key(seq: int, place: int) -> int:
    """Return the number that identifies an event of a battle in causes; earlier events have smaller ones."""
    return seq * EVENTS_PER_TURN + place


def seq_of(key: int) -> int:
    """Return the turn of an event's key."""
    return key // EVENTS_PER_TURN


class Event(NamedTuple):
    """One fact of a turn.

    `facts` contain nothing that the audience may not know. `clause` is the rule behind it; `cause` lists the keys of
    the earlier events that led to it (see `event_key`). The audience may not know all of those: a reader gets them only
    through `causes.trace`. For a spell and its effects, the first cause is what brought the spell there; the others
    are what it met.
    """

    kind: str
    facts: Mapping[str, Fact]
    audience: Audience
    clause: str
    cause: tuple[int, ...] = ()

    def is_visible_to(self, mages: Iterable[str]) -> bool:
        """Return whether a user with these mages in the battle learns it: one of them is enough."""
        return self.audience is None or any(mage in self.audience for mage in mages)


make_event: Final[Callable[[tuple[str, Mapping[str, Fact], Audience, str, tuple[int, ...]]], Event]] = partial(
    tuple.__new__, Event
)
"""Makes an event from the tuple of all its fields, at a third of the cost of `Event(...)`: every turn makes many."""


class OpenEvents(tuple[Event, ...]):
    """Events that are all public, as in most turns: no viewer's list leaves any out."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Viewer:
    """A point of view: a set of mages (a user's own in this battle), a spectator (no mages), or one who sees
    everything."""

    mages: frozenset[str] = field(default_factory=frozenset)
    sees_all: bool = False

    @classmethod
    def of(cls, *mages: str) -> Viewer:
        return cls(frozenset(mages))

    @classmethod
    def spectator(cls) -> Viewer:
        """Return a viewer without a mage in the battle: sees only what every mage sees."""
        return cls()

    @classmethod
    def all_seeing(cls) -> Viewer:
        """Return a viewer from whom nothing is hidden: everyone after the end, and janitors."""
        return cls(sees_all=True)

    def sees(self, event: Event) -> bool:
        """Return whether an event may reach this viewer. Nothing else decides that."""
        return self.sees_all or event.is_visible_to(self.mages)


def visible_events(events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """Return the events this viewer may know, in order: those that `viewer.sees`."""
    if viewer.sees_all or type(events) is OpenEvents:
        return list(events)
    mine = viewer.mages
    return [e for e in events if e.audience is None or not mine.isdisjoint(e.audience)]


def write_event(event: Event) -> dict[str, Any]:
    """Return an event as JSON values."""
    return {
        "kind": event.kind,
        "facts": dict(event.facts),
        "audience": None if event.audience is None else list(event.audience),
        "clause": event.clause,
        "cause": list(event.cause),
    }


def read_event(data: Mapping[str, Any]) -> Event:
    """Return the event that `write_event` wrote."""
    audience = data["audience"]
    return Event(
        data["kind"],
        data["facts"],
        None if audience is None else tuple(audience),
        data["clause"],
        tuple(data.get("cause", ())),
    )
