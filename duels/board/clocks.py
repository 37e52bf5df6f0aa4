"""Time on the battle page: who has how long, what the pace is, and what a player can do about it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from duels.board.call import TimeLeft, exact_moment, time_left
from duels.board.names import listed
from duels.board.parts import Part
from duels.paces import span
from duels.selectors import BattleClocks, BattleView, ClockRow
from duels.selectors.absences import Absence, CallOff


@dataclass(frozen=True)
class ClockLine:
    """The clock of one mage. `grace`: the deadline has passed, and the mage dies at `dies`; `stops`: why it stands."""

    mage: str
    time: TimeLeft | None
    grace: bool
    dies: str
    stops: str
    absence: str


@dataclass(frozen=True)
class PauseLength:
    """A length of pause to choose."""

    minutes: int
    words: str


@dataclass(frozen=True)
class CallOffBox:
    """Leave to end the battle for an absence, and whether this player waits for others who must agree."""

    words: str
    has_agreed: bool


@dataclass(frozen=True)
class Clocks(Part):
    """The box about time. `plays`: the viewer has a mage in the battle and may do something about it."""

    url: str
    mage: str
    pace: str
    explained: str
    rows: tuple[ClockLine, ...]
    paused: bool
    paused_until: str
    wishes: str
    my_wish: int | None
    pauses: tuple[PauseLength, ...]
    plays: bool
    more: int
    more_words: str
    may_give: tuple[str, ...]
    call_off: CallOffBox | None
    resign_url: str
    open: bool


def make_clocks(
    view: BattleView, told: BattleClocks | None, now: datetime.datetime, *, url: str, resign_url: str
) -> Clocks | None:
    """Return the box about time; None where nothing is told or the battle is over. `resign_url` is "" for nobody."""
    if told is None or view.over:
        return None
    rows = tuple(_row(row, view, now) for row in view.clocks)
    return Clocks(
        url=url,
        mage=view.me or "",
        pace=_with_rest(told.pace, told.rests),
        explained=told.explained,
        rows=rows,
        paused=told.is_paused,
        paused_until=exact_moment(told.paused_until, view.zone) if told.paused_until else "",
        wishes=_wish_words(told),
        my_wish=told.my_wish,
        pauses=tuple(PauseLength(int(each.total_seconds()) // 60, span(each)) for each in told.pauses),
        plays=any(row.name == view.me and row.standing == "in" for row in view.combatants),
        more=told.more,
        more_words=span(told.extension),
        may_give=told.may_give,
        call_off=_call_off_box(told.call_off) if told.call_off else None,
        resign_url=resign_url,
        open=told.call_off is not None or bool(told.wishes) or told.is_paused or any(row.grace for row in rows),
    )


def _with_rest(pace: str, rests: str) -> str:
    words = f"{pace}, {rests}" if rests else pace
    return words[:1].upper() + words[1:]


def _row(row: ClockRow, view: BattleView, now: datetime.datetime) -> ClockLine:
    return ClockLine(
        mage=row.mage,
        time=time_left(row.next_at, now, view.zone),
        grace=row.in_grace,
        dies=exact_moment(row.forfeit_at, view.zone) if row.forfeit_at else "",
        stops=listed(row.stops),
        absence=_absence_words(row.absence, view, now) if row.absence else "",
    )


def _absence_words(absence: Absence, view: BattleView, now: datetime.datetime) -> str:
    most = absence.most.days
    if now > absence.used_up_at:
        return f"The {most} days of absence that a battle allows are used up"
    used, left = absence.used_at(now).days, exact_moment(absence.used_up_at, view.zone)
    return f"{used} of the {most} days of absence that a battle allows are used; they run out on {left}"


def _call_off_box(call_off: CallOff) -> CallOffBox:
    absent = listed(call_off.absent)
    has = "has" if len(call_off.absent) == 1 else "have"
    if call_off.missing:
        words = (
            f"{absent} {has} been absent for so long that the battle ends without score once everyone present agrees."
        )
    else:
        words = f"{absent} {has} been absent for so long that you can end the battle."
    said = [f"{_agree(call_off.agreed)} to end it."] if call_off.agreed else []
    if call_off.has_agreed:
        said = [f"You and {listed(call_off.agreed)} agree to end it." if call_off.agreed else "You agree to end it."]
        said.append(f"{listed(call_off.missing)} {'has' if len(call_off.missing) == 1 else 'have'} not agreed yet.")
    return CallOffBox(" ".join([words, *said]), call_off.has_agreed and bool(call_off.missing))


def _agree(names: Sequence[str]) -> str:
    return f"{listed(names)} {'agrees' if len(names) == 1 else 'agree'}"


def _wish_words(told: BattleClocks) -> str:
    if told.is_paused:
        names = [name for name, length in told.wishes if not length]
        return f"{listed(names)} {'wants' if len(names) == 1 else 'want'} to resume." if names else ""
    return " ".join(f"{name} asks for a pause of {span(length)}." for name, length in told.wishes)
