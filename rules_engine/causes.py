"""The causes of events, as far as one viewer may know them (DESIGN: commitment 4).

An event names its causes by keys that are the same for everyone. Viewers get them only from their own `Memory`, which
contains only what they have learnt, numbered for them alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules_engine.events import Event, Viewer, event_key, seq_of


class Learnt(NamedTuple):
    """An event as a viewer learnt it: its number among all that they learnt, counted from 1, and its turn's label."""

    number: int
    key: int
    label: str
    event: Event

    @property
    def seq(self) -> int:
        """The turn's place in the battle."""
        return seq_of(self.key)

    def is_of(self, turn: str | int) -> bool:
        """Return whether it happened in the turn with that label or, given a number, that `seq`."""
        return self.label == turn if isinstance(turn, str) else self.seq == turn


class Causes(NamedTuple):
    """The causes of an event that the viewer learnt, in the order in which it names them.

    `unseen`: there are causes, and the viewer may know none of them. If they know some, the number of others stays
    hidden: it could give something away.
    """

    learnt: tuple[Learnt, ...]
    unseen: bool


NOWHERE = -1
NO_CAUSES = Causes((), unseen=False)


class Memory:
    """The memory of one viewer of a battle, turn after turn."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._learnt: dict[int, Learnt] = {}
        self._by_number: list[int] = []
        self._by_turn: dict[int, list[Learnt]] = {}
        self._happened: dict[int, int] = {}

    def learn(self, seq: int, label: str, events: Iterable[Event]) -> None:
        """Add all events that come next in the turn `seq`: this method leaves out those that the viewer may not know.

        A turn may be added in pieces, in their order.
        """
        place = self._happened.get(seq, 0)
        for event in events:
            if self.viewer.sees(event):
                key = event_key(seq, place)
                self._by_number.append(key)
                learnt = Learnt(len(self._by_number), key, label, event)
                self._learnt[key] = learnt
                self._by_turn.setdefault(seq, []).append(learnt)
            place += 1
        self._happened[seq] = place

    def continue_after(self, number: int) -> None:
        """Number the next event `number` + 1: the viewer learnt those between, but they are not in this memory."""
        self._by_number += [NOWHERE] * (number - len(self._by_number))

    def __iter__(self) -> Iterator[Learnt]:
        """Yield the events learnt, in order."""
        return iter(self._learnt.values())

    def list_turn(self, seq: int) -> Sequence[Learnt]:
        """Return the events learnt of a turn, in order."""
        return self._by_turn.get(seq, ())

    def recall(self, number: int) -> Learnt:
        """Return the event of this number; IndexError for one that the viewer did not learn."""
        if number < 1 or self._by_number[number - 1] == NOWHERE:
            raise IndexError(number)
        return self._learnt[self._by_number[number - 1]]

    def trace(self, learnt: Learnt) -> Causes:
        """Return what caused an event. Causes that are not stored do not count."""
        return self.trace_keys(learnt.event.cause)

    def trace_keys(self, keys: tuple[int, ...]) -> Causes:
        """Return the same, for some of an event's causes."""
        if not keys:
            return NO_CAUSES
        known = tuple(found for key in keys if (found := self._learnt.get(key)) is not None)
        return Causes(known, unseen=not known and any(self._exists(key) for key in keys))

    def trace_back(self, learnt: Learnt) -> Iterator[Learnt]:
        """Yield all events that led to an event, each once, the nearest first."""
        waiting, seen = list(self.trace(learnt).learnt), {learnt.key}
        while waiting:
            each = waiting.pop(0)
            if each.key not in seen:
                seen.add(each.key)
                yield each
                waiting.extend(self.trace(each).learnt)

    def follow(self, learnt: Learnt) -> Iterator[Learnt]:
        """Yield what followed from an event in its own turn, in order."""
        led = {learnt.key}
        for each in self.list_turn(learnt.seq):
            if not led.isdisjoint(each.event.cause):
                led.add(each.key)
                yield each

    def _exists(self, key: int) -> bool:
        seq = seq_of(key)
        return key - event_key(seq, 0) < self._happened.get(seq, 0)
