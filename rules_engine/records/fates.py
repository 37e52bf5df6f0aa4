"""The fate of every spell of a battle: for statistics, which use the view of an all-seeing viewer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from rules_engine.events import Event, event_key
from rules_engine.explanations import is_failure, is_felt
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.undone_spells import find_end, list_effects

WORKED: Final = "worked"
COUNTERED: Final = "countered"
REFLECTED: Final = "reflected"
SHIELDED: Final = "shielded"
FAILED: Final = "failed"
FATES: Final = (WORKED, COUNTERED, REFLECTED, SHIELDED, FAILED)
"""It took effect; a Counter Spell stopped it; a mirror reflected it; a shield or resistance held; it did nothing."""

_HELD: Final = frozenset({"absorbed", "unharmed", "saved_from_death"})
_IN_VAIN: Final = frozenset({"unhealed"})
_UNDO_EACH_OTHER: Final = frozenset({"minds_clash", "clash", "cancels"})


@dataclass(frozen=True, slots=True)
class JudgedCast:
    """A spell that left a hand, and one of FATES. A spell that came back and hurt counts as reflected."""

    mage: str
    spell: str
    fate: str
    hand: str


def judge_casts(chronicle: Chronicle) -> Iterator[JudgedCast]:
    """Yield every spell that was cast, in order, with its fate."""
    for turn in chronicle.turns:
        events = TurnEvents(turn)
        for key, event in events.casts():
            facts = event.facts
            yield JudgedCast(str(facts["who"]), str(facts["spell"]), _judge(events, key), str(facts["hand"]))


class TurnEvents:
    """The events of one turn by key, with their causes."""

    def __init__(self, turn: PlayedTurn) -> None:
        self.by_key = {event_key(turn.seq, place): event for place, event in enumerate(turn.events)}
        self._after: dict[int, list[int]] = {}
        for key, event in self.by_key.items():
            for cause in event.cause:
                self._after.setdefault(cause, []).append(key)

    def casts(self) -> Iterator[tuple[int, Event]]:
        """Yield the spells that left a hand, with their keys."""
        return ((key, event) for key, event in self.by_key.items() if event.kind == "casts")

    def work_of(self, cast: int) -> list[int]:
        """Return the keys of a spell's own effects in this turn, without events that merely met it."""
        found, waiting = list[int](), [cast]
        while waiting:
            for key in self._after.get(waiting.pop(), ()):
                event = self.by_key[key]
                # Several fingers of death may cause one death; otherwise only the first cause brought it about.
                own = is_felt(event) or event.cause[0] in (cast, *found)
                is_work = is_felt(event) or event.kind in _HELD | _IN_VAIN | {"spell", "reflected"}
                if own and is_work and key not in found:
                    found.append(key)
                    waiting.append(key)
        return found

    def undoes(self, work: Collection[int]) -> bool:
        """Return whether a later spell of the turn met this one's `work` and both were lost."""
        met = {key for done in work for key in self._after.get(done, ())}
        return any(self.by_key[key].facts.get("outcome") in _UNDO_EACH_OTHER for key in met)

    def ends(self, cast: int) -> bool:
        """Return whether what a spell did was undone later in the turn, with nothing left of it (FM-PARA-9)."""
        effects = list(list_effects(self.by_key, cast))
        return bool(effects) and all(find_end(self.by_key, effect) is not None for effect in effects)


def _judge(events: TurnEvents, cast: int) -> str:
    keys = events.work_of(cast)
    work = [events.by_key[key] for key in keys]
    spells = [event for event in work if event.kind == "spell"]
    if any(event.kind == "reflected" for event in work):
        return REFLECTED
    if spells and all(event.facts["outcome"] == "countered" for event in spells):
        return COUNTERED
    if all(is_failure(event) for event in spells) or events.undoes(keys) or events.ends(cast):
        return FAILED
    felt = [event for event in work if event.kind in _HELD or is_felt(event)]
    if not felt and any(event.kind in _IN_VAIN for event in work):
        return FAILED
    return SHIELDED if felt and all(event.kind in _HELD for event in felt) else WORKED
