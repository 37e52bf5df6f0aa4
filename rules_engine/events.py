"""What happened: facts, each born with its audience (DESIGN: commitment 4). English is in `narration`, nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Fact = str | int | bool | None
Audience = tuple[str, ...] | None
"""The mages who may know it; None is everybody, spectators too."""


class Event(NamedTuple):
    """One fact of a turn.

    `facts` hold nothing that the audience may not know. `clause` is the rule that made it; `cause` counts back to the
    events of the same turn that it follows from (their positions in what was told).
    """

    kind: str
    facts: Mapping[str, Fact]
    audience: Audience
    clause: str
    cause: tuple[int, ...] = ()

    def is_told_to(self, mages: Iterable[str]) -> bool:
        """Whether a user with these mages in the battle learns it: any one of them is enough."""
        return self.audience is None or any(mage in self.audience for mage in mages)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a set of mages (a user's own in this battle), a spectator (no mages), or one who may see all."""

    mages: frozenset[str] = field(default_factory=frozenset)
    sees_all: bool = False

    @classmethod
    def of(cls, *mages: str) -> Viewer:
        """The viewer who owns these mages."""
        return cls(frozenset(mages))

    @classmethod
    def spectator(cls) -> Viewer:
        """One without a mage in the battle: sees what every mage sees."""
        return cls()

    @classmethod
    def all_seeing(cls) -> Viewer:
        """One from whom nothing is hidden: everybody after the end, and janitors."""
        return cls(sees_all=True)

    def sees(self, event: Event) -> bool:
        """The one test of whether an event may reach this viewer."""
        return self.sees_all or event.is_told_to(self.mages)


def visible_events(events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events this viewer may know, in order: those that `viewer.sees`."""
    if viewer.sees_all:
        return list(events)
    mine = viewer.mages
    return [e for e in events if e.audience is None or not mine.isdisjoint(e.audience)]


def write_event(event: Event) -> dict[str, Any]:
    """An event as JSON values."""
    return {
        "kind": event.kind,
        "facts": dict(event.facts),
        "audience": None if event.audience is None else list(event.audience),
        "clause": event.clause,
        "cause": list(event.cause),
    }


def read_event(data: Mapping[str, Any]) -> Event:
    """The event that `write_event` wrote."""
    audience = data["audience"]
    return Event(
        data["kind"],
        data["facts"],
        None if audience is None else tuple(audience),
        data["clause"],
        tuple(data.get("cause", ())),
    )
