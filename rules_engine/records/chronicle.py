"""A battle as it was played, turn by turn: the source of SHOW, DESCRIBE and records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules_engine.dice import Roll
from rules_engine.events import Event, Viewer, write_event
from rules_engine.outcome import Outcome
from rules_engine.records.record import Creature, RecordedCast, Result
from rules_engine.state import State


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn that was played to its end: the states before and after it, and the events of each stage."""

    label: str
    seq: int
    before: State
    after: State
    stage_events: tuple[tuple[Event, ...], ...]
    throws: tuple[Roll, ...] = ()
    attempt: int = 0

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for stage in self.stage_events for event in stage)

    @property
    def column(self) -> int:
        """The place of this turn's gestures in every history."""
        return len(self.before.columns)


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The turns played in a battle. `users` names the owners of mages; `outcome` is None while it is running.

    `open_to_all` hides nothing even while it is running: for janitors.
    """

    mages: tuple[str, ...]
    turns: tuple[PlayedTurn, ...]
    outcome: Outcome | None = None
    number: int | None = None
    users: Mapping[str, str] = field(default_factory=dict)
    open_to_all: bool = False

    @property
    def hides(self) -> bool:
        """Whether anything is hidden: only while the battle is running."""
        return self.outcome is None and not self.open_to_all

    @property
    def reader(self) -> Viewer:
        """The viewer it is described for: a spectator while the battle is running, and an all-seeing one afterwards."""
        return Viewer.spectator() if self.hides else Viewer.all_seeing()

    @property
    def title(self) -> str:
        """``Battle 7 between Ayla(Pat) and Crom(Sam)``."""
        names = [f"{mage}({self.users[mage]})" if mage in self.users else mage for mage in self.mages]
        number = "" if self.number is None else f" {self.number}"
        return f"Battle{number} between {', '.join(names[:-1])} and {names[-1]}"


def find_result(turn: PlayedTurn) -> Result:
    """Return the result of a turn, as it is in a record."""
    state = turn.after
    columns = slice(turn.column, len(state.columns))
    return Result(
        # A turn that a forfeit ended before anyone moved has no column.
        gestures={n: (w.left[columns], w.right[columns]) for n, w in state.wizards.items() if w.left[columns]},
        hp={name: w.hp for name, w in state.wizards.items()},
        casts=list_casts(turn.events),
        creatures=tuple(Creature(m.name, m.hp, m.controller, m.target) for m in state.monsters.values()),
        told=digest_events(turn.events),
    )


def list_casts(events: Iterable[Event]) -> tuple[RecordedCast, ...]:
    """Return the announced spells, in order."""
    facts = (event.facts for event in events if event.kind == "casts")
    return tuple(
        RecordedCast(str(f["who"]), str(f["hand"]), str(f["spell"]), None if f["target"] is None else str(f["target"]))
        for f in facts
    )


def digest_events(events: Sequence[Event]) -> tuple[int, str]:
    """Return the number of events, and a digest of everything in them except causes: equal only for equal events.

    It ignores causes, so that records from before events had causes still match.
    """
    written = json.dumps([write_event(e._replace(cause=())) for e in events], sort_keys=True, separators=(",", ":"))
    return len(events), hashlib.sha256(written.encode()).hexdigest()[:16]
