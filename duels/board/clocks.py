"""Time on the battle page: who has how long, what the pace is, and what a player can do about it."""

from __future__ import annotations

import datetime
from typing import Any

from django.urls import reverse

from duels.board.call import exact_moment, time_left
from duels.board.names import listed
from duels.paces import span


def make_clocks(view: Any, told: Any, now: datetime.datetime) -> dict[str, Any] | None:
    """What the box about time shows; None where nothing is told (`told` is None) or the battle is over."""
    if told is None or view.over:
        return None
    rows = [_row(row, view, now) for row in view.clocks]
    mine = view.me if any(row.name == view.me and row.standing == "in" for row in view.combatants) else None
    return {
        "url": reverse("duels:time", args=[view.battle.number]),
        "mage": view.me or "",
        "pace": _with_rest(told.pace, told.rests),
        "explained": told.explained,
        "rows": rows,
        "urgent": any(row["grace"] for row in rows),
        "paused": told.is_paused,
        "paused_until": exact_moment(told.paused_until, view.zone) if told.paused_until else "",
        "wishes": _wish_words(told),
        "my_wish": told.my_wish,
        "pauses": [{"minutes": int(each.total_seconds()) // 60, "words": span(each)} for each in told.pauses],
        "plays": mine is not None,
        "more": told.more,
        "more_words": span(told.extension),
        "may_give": told.may_give,
        "call_off": _call_off_words(told.call_off) if told.call_off else None,
        "open": told.call_off is not None or bool(told.wishes) or told.is_paused or any(row["grace"] for row in rows),
    }


def _with_rest(pace: str, rests: str) -> str:
    words = f"{pace}, {rests}" if rests else pace
    return words[:1].upper() + words[1:]


def _row(row: Any, view: Any, now: datetime.datetime) -> dict[str, Any]:
    return {
        "mage": row.mage,
        "mine": row.mage == view.me,
        "time": time_left(row.next_at, now, view.zone),
        "grace": row.in_grace,
        "dies": exact_moment(row.forfeit_at, view.zone) if row.forfeit_at else "",
        "stops": listed(list(row.stops)),
        "absence": _absence_words(row.absence, view, now) if row.absence else "",
    }


def _absence_words(absence: Any, view: Any, now: datetime.datetime) -> str:
    most = absence.most.days
    if now > absence.used_up_at:
        return f"The {most} days of absence that a battle allows are used up"
    used, left = absence.used_at(now).days, exact_moment(absence.used_up_at, view.zone)
    return f"{used} of the {most} days of absence that a battle allows are used, all of them on {left}"


def _call_off_words(call_off: Any) -> dict[str, Any]:
    absent = listed(list(call_off.absent))
    was = "was" if len(call_off.absent) == 1 else "were"
    if call_off.missing:
        words = f"{absent} {was} absent for so long that the battle ends without score once all who are here want that."
    else:
        words = f"{absent} {was} absent for so long that you may end the battle."
    said = [f"{listed(list(call_off.agreed))} would end it."] if call_off.agreed else []
    if call_off.has_agreed:
        said = [f"You and {listed(list(call_off.agreed))} would end it." if call_off.agreed else "You would end it."]
        said.append(f"{listed(list(call_off.missing))} did not say so yet.")
    return {"words": " ".join([words, *said]), "has_agreed": call_off.has_agreed and bool(call_off.missing)}


def _wish_words(told: Any) -> str:
    if told.is_paused:
        names = [name for name, length in told.wishes if not length]
        return f"{listed(names)} would go on." if names else ""
    return " ".join(f"{name} asks for a pause of {span(length)}." for name, length in told.wishes)
