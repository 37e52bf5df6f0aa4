"""Stopped time in which earlier enchantments do not count, and new ones do (WL-ENCH-28, WL-ENCH-43)."""

from __future__ import annotations

from typing import Final

from rules_engine.beings import EMPTY, PERMANENT
from rules_engine.turn import Turn

SET_ASIDE: Final[tuple[str, ...]] = (
    "shielded",
    "reflecting",
    "countering",
    "heat_resistant",
    "cold_resistant",
    "blind",
    "invisible",
)


def suspend_enchantments(turn: Turn) -> None:
    """Set aside all earlier enchantments: in this turn they protect, hide and hinder nobody."""
    for being in turn.live_beings():
        found = {mark: being.marks.pop(mark) for mark in SET_ASIDE if mark in being.marks}
        if found:
            turn.aside = {**turn.aside, being.name: found}


def take_back(turn: Turn) -> None:
    """Put them back; of two of a kind the longer one remains."""
    for name, marks in turn.aside.items():
        being = turn.state.being(name)
        if being is None or not turn.state.is_live(name):
            continue
        for mark, turns in marks.items():
            now = being.marks.get(mark, 0)
            being.marks[mark] = PERMANENT if PERMANENT in (now, turns) else max(now, turns)
    turn.aside = EMPTY
    turn.look_around()
