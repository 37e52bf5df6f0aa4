"""The call: the one heading of the page, which is also its title, and the words about time."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

from accounts.moments import name_zone
from duels.board.names import listed

MINUTE, HOUR, DAY = 60, 3600, 86400


UTC = ZoneInfo("UTC")


def time_left(until: datetime.datetime | None, now: datetime.datetime, zone: ZoneInfo = UTC) -> dict[str, str] | None:
    """``2 days 4 hours``, under an hour in minutes, with the exact time in `zone`; None without a deadline."""
    if until is None:
        return None
    seconds = max(0, int((until - now).total_seconds()))
    return {"words": span_in_words(seconds), "iso": until.isoformat(), "exact": f"until {exact_moment(until, zone)}"}


def exact_moment(moment: datetime.datetime, zone: ZoneInfo) -> str:
    """``Monday 5 May, 14:00 Europe/Berlin``."""
    return f"{moment.astimezone(zone):%A %-d %B, %H:%M} {name_zone(zone)}"


def span_in_words(seconds: int) -> str:
    """A span of time in its two largest units."""
    days, hours, minutes = seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // MINUTE
    if days:
        return _joined((days, "day"), (hours, "hour"))
    if hours:
        return _joined((hours, "hour"), (minutes, "minute"))
    return _joined((max(1, minutes), "minute"))


def _joined(*parts: tuple[int, str]) -> str:
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts if n)


def outcome_words(result: Any) -> str:
    """How it ended, as a heading."""
    if not result:
        return "The battle is over"
    winners = list(result.get("winners") or ())
    if winners:
        return f"{'Outright victory' if result.get('reason') == 'kill' else 'Victory'} to {listed(winners)}"
    if result.get("sharing"):
        return f"A draw between {listed(list(result['sharing']))}"
    return {
        "all_dead": "Nobody is left alive",
        "all_surrendered": "Everybody has surrendered",
    }.get(str(result.get("reason")), "Nobody wins")


def make_call(view: Any, state: str, me: str | None, now: datetime.datetime) -> dict[str, Any]:
    """Heading, whether ember or moss, the sentence beside it, the time left."""
    label, others = view.view.label, [name for name in view.waiting_for if name != me]
    deadline = time_left(view.deadline, now, view.zone)
    if view.battle.status == "annulled":
        return {"text": "The battle is annulled", "sentence": "It counts for nothing, and its mages are free."}
    if view.over:
        return {"text": outcome_words(view.result), "sentence": _ended(view.result)}
    if view.stuck:
        sentence = "The referee could not resolve this turn. Your orders are kept, clocks stand still."
        return {"text": f"Turn {label} is held up", "sentence": sentence}
    if state in ("sealed", "watch", "spectator"):
        text = f"Turn {label}: waiting for {listed(others)}" if others else f"Turn {label} resolves"
        sentence = f"Your orders are in. You may change them until {listed(others, 'or')} is ready."
        if view.terms.orders_final:
            sentence = "Your orders are in, and final."
        return {"text": text, "sentence": sentence if state == "sealed" and others else "", "time": deadline}
    if view.stage_key.stage:
        return {"text": f"Turn {label}: a question for you", "ember": True, "sentence": "", "time": deadline}
    if others:
        verb = "is" if len(others) == 1 else "are"
        sentence = f"{listed(others)} {verb} still thinking."
        return {"text": f"Turn {label}: your move", "ember": True, "sentence": sentence, "time": deadline}
    ready = [row.name for row in view.combatants if row.asked and row.ready and not row.mine]
    if len(ready) == 1:
        text = f"{ready[0]} is ready. Your move"
    else:
        text = f"Turn {label}: your move"
    sentence = "Everybody else is ready." if len(ready) > 1 else ""
    return {"text": text, "ember": True, "ok": bool(ready), "sentence": sentence, "time": deadline}


def _ended(result: Any) -> str:
    if not result:
        return ""
    dead, gone = list(result.get("dead") or ()), list(result.get("surrendered") or ())
    words = []
    if dead:
        words.append(f"{listed(dead)} {'is' if len(dead) == 1 else 'are'} dead.")
    if gone:
        words.append(f"{listed(gone)} surrendered.")
    return " ".join(words)
