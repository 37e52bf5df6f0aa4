"""A turn without events, for a search that plays very many turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules_engine.beings import Being
from rules_engine.dice import Dice
from rules_engine.events import Event, Fact
from rules_engine.native import mypyc_attr
from rules_engine.orders import Sheet
from rules_engine.spells import Cast
from rules_engine.state import State
from rules_engine.turn import Keys, Turn

_NO_EVENT: Final = Event("spell", {}, None, "")
_NO_EVENTS: Final[tuple[Event, ...]] = ()


@mypyc_attr(acyclic=True, free_list_len=1)
class SilentTurn(Turn):
    """A turn that records no events, and no origins of marks: for a search that plays very many turns.

    The state after it is the same, except for what refers to events (`origins`, `event_count`); its record has no
    attacks.
    """

    __slots__ = ()

    def __init__(self, state: State, dice: Dice, sheets: dict[str, Sheet] | None = None) -> None:
        super().__init__(state, dice, sheets)
        self.silent = True

    def look_around(self) -> None:
        """Note whether anyone's sight is limited: this decides what hits whom, not just who sees it."""
        self.murky = self.extra == "T" or bool(self._sight)
        for wizard in self.mages:
            if wizard.marks and ("blind" in wizard.marks or "invisible" in wizard.marks):
                self.murky = True

    def collect_events(self) -> tuple[Event, ...]:
        return _NO_EVENTS

    def announce(self, kind: str, clause: str, *, because: Keys = (), **facts: Fact) -> None:
        pass

    def announce_facts(self, kind: str, clause: str, facts: dict[str, Fact]) -> None:
        pass

    def confide(self, name: str, kind: str, clause: str, *, because: Keys = (), **facts: Fact) -> None:
        pass

    def report_about(
        self, name: str, kind: str, clause: str, *, because: Keys = (), unseen_by: str = "", **facts: Fact
    ) -> None:
        pass

    def report_result(
        self, name: str, kind: str, clause: str, *, because: Keys = (), magic: bool = True, **facts: Fact
    ) -> None:
        pass

    def report_facts(self, name: str, kind: str, clause: str, facts: dict[str, Fact]) -> None:
        pass

    def report_effect(
        self, cast: Cast, outcome: str, clause: str = "", *, felt: bool = False, because: Keys = (), **facts: Fact
    ) -> None:
        cast.mirror = None

    def report_casting(self, cast: Cast, because: Keys) -> None:
        pass

    def record_mark(self, being: Being, mark: str, *, more: bool = False) -> None:
        pass

    def record_attack(self, attacker: str, target: str | None, result: str) -> None:
        pass

    def record_blow(self, name: str, kind: str) -> None:
        self.hits.setdefault(name, {}).setdefault(kind, []).append(0)

    def record_cure(self, being: Being, blow: int) -> None:
        pass

    def find_event(self, key: int) -> Event:
        return _NO_EVENT

    def correct_event(self, key: int, kind: str, facts: Mapping[str, Fact]) -> None:
        pass
