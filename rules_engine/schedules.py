"""Which turn comes next, who moves in it, and who makes two pairs of gestures: one function per kind of Haste."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rules_engine.turn import Turn


class Schedule(NamedTuple):
    """The turn to come: "" normal, "H" hastened or "T" stopped; who moves; who of them makes two pairs of gestures."""

    extra: str
    movers: list[str]
    twice: tuple[str, ...] = ()


def let_haste_follow(turn: Turn) -> Schedule:
    """Haste after a normal turn, then stopped time, else a normal turn (FM-HASTE-2; spec: engine 1.6)."""
    still_in = turn.state.still_in
    fast, stopped = _bearing(turn, still_in, "fast"), _bearing(turn, still_in, "time_stopped")
    if fast and not turn.extra:
        return Schedule("H", fast)
    return Schedule("T", stopped) if stopped else Schedule("", still_in)


def let_haste_double(turn: Turn) -> Schedule:
    """Stopped time at once, else a normal turn, in which the fast make two pairs of gestures (WH-ENCH-26)."""
    still_in = turn.state.still_in
    stopped = _bearing(turn, still_in, "time_stopped")
    if stopped:
        return Schedule("T", stopped)
    fast = _bearing(turn, still_in, "fast")
    return Schedule("", still_in, tuple(name for name in fast if _stays_fast(turn, name)))


def _bearing(turn: Turn, names: list[str], mark: str) -> list[str]:
    wizards = turn.state.wizards
    return [name for name in names if wizards[name].marks and mark in wizards[name].marks]


def _stays_fast(turn: Turn, name: str) -> bool:
    """Whether the clock that runs now leaves some of the Haste; it does not run after stopped time."""
    return turn.extra == "T" or turn.state.wizards[name].marks["fast"] != 1
