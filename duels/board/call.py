"""The call: the one heading of the page, which is also its title, and the words about time."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from duels.board.bar import PageState
from duels.board.links import MageLink
from duels.board.names import listed
from duels.board.parts import Part
from duels.board.story import StoryTurn
from duels.selectors import BattleView
from fm_site.operations.moments import name_zone

MINUTE, HOUR, DAY = 60, 3600, 86400


@dataclass(frozen=True)
class TimeLeft:
    """The time until a moment, in words that change as it passes, and the moment itself."""

    words: str = field(repr=False)
    iso: str
    exact: str


@dataclass(frozen=True)
class LastTurn:
    """The headline of the turn before, and where its story is."""

    key: str
    label: str
    headline: str


@dataclass(frozen=True)
class Call(Part):
    """Heading, title of the page, sentence and time left. `ember`: it is your move; `ok`: somebody is ready."""

    text: str
    title: str
    sentence: str
    ember: bool
    ok: bool
    time: TimeLeft | None
    last: LastTurn | None
    hands: tuple[MageLink, ...]


@dataclass(frozen=True)
class _Words:
    text: str
    sentence: str = ""
    ember: bool = False
    ok: bool = False
    is_timed: bool = False


def time_left(until: datetime.datetime | None, now: datetime.datetime, zone: ZoneInfo) -> TimeLeft | None:
    """Return ``2 days 4 hours``, under an hour in minutes, with the exact time in `zone`; None without a deadline."""
    if until is None:
        return None
    seconds = max(0, int((until - now).total_seconds()))
    return TimeLeft(span_in_words(seconds), until.isoformat(), f"until {exact_moment(until, zone)}")


def exact_moment(moment: datetime.datetime, zone: ZoneInfo) -> str:
    """Return ``Monday 5 May, 14:00 Europe/Berlin``."""
    return f"{moment.astimezone(zone):%A %-d %B, %H:%M} {name_zone(zone)}"


def span_in_words(seconds: int) -> str:
    """Return a span of time in its two largest units."""
    days, hours, minutes = seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // MINUTE
    if days:
        return _joined((days, "day"), (hours, "hour"))
    if hours:
        return _joined((hours, "hour"), (minutes, "minute"))
    return _joined((max(1, minutes), "minute"))


def _joined(*parts: tuple[int, str]) -> str:
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts if n)


def outcome_words(result: Mapping[str, object] | None) -> str:
    """Return how the battle ended, as a heading."""
    if not result:
        return "The battle is over"
    winners, sharing = _names(result, "winners"), _names(result, "sharing")
    if winners:
        return f"{'Outright victory' if result.get('reason') == 'kill' else 'Victory'} to {listed(winners)}"
    if sharing:
        return f"A draw between {listed(sharing)}"
    return {
        "all_dead": "Nobody is left alive",
        "all_surrendered": "Everyone has surrendered",
    }.get(str(result.get("reason")), "Nobody wins")


def _names(result: Mapping[str, object], key: str) -> list[str]:
    names = result.get(key)
    return [str(name) for name in names] if isinstance(names, list | tuple) else []


def make_call(
    view: BattleView, state: PageState, latest: StoryTurn | None, hands: tuple[MageLink, ...], now: datetime.datetime
) -> Call:
    """Return the call: `latest` is the last turn of the story, `hands` the viewer's mages to choose from."""
    words = _call_out(view, state)
    names = [row.name for row in view.combatants]
    title = f"{words.text}. {' against '.join(names) if len(names) == 2 else listed(names)}"
    return Call(
        text=words.text,
        title=f"● {title}" if words.ember else title,
        sentence=words.sentence,
        ember=words.ember,
        ok=words.ok,
        time=time_left(view.deadline, now, view.zone) if words.is_timed else None,
        last=LastTurn(latest.key, latest.label, latest.headline) if latest else None,
        hands=hands,
    )


def _call_out(view: BattleView, state: PageState) -> _Words:
    label, others = view.view.label, [name for name in view.waiting_for if name != view.me]
    if view.battle.status == "annulled":
        return _Words("The battle is annulled", "It does not count, and its mages are free.")
    if view.over:
        return _Words(outcome_words(view.result), _ended(view.result))
    if view.stuck:
        sentence = "We could not resolve this turn. Your orders are saved, and the clocks have stopped."
        return _Words(f"Turn {label} is stuck", sentence)
    if state in ("sealed", "watch", "spectator"):
        text = f"Turn {label}: waiting for {listed(others)}" if others else f"Turn {label} resolves"
        sentence = f"Your orders are in. You can change them until {listed(others, 'or')} is ready."
        if view.terms.orders_final:
            sentence = "Your orders are in, and final."
        return _Words(text, sentence if state == "sealed" and others else "", is_timed=True)
    if view.stage_key.stage:
        return _Words(f"Turn {label}: a question for you", ember=True, is_timed=True)
    if others:
        verb = "is" if len(others) == 1 else "are"
        sentence = f"{listed(others)} {verb} still thinking."
        return _Words(f"Turn {label}: your move", sentence, ember=True, is_timed=True)
    ready = [row.name for row in view.combatants if row.asked and row.ready and not row.mine]
    text = f"{ready[0]} is ready. Your move" if len(ready) == 1 else f"Turn {label}: your move"
    sentence = "Everyone else is ready." if len(ready) > 1 else ""
    return _Words(text, sentence, ember=True, ok=bool(ready), is_timed=True)


def _ended(result: Mapping[str, object] | None) -> str:
    if not result:
        return ""
    dead, gone = _names(result, "dead"), _names(result, "surrendered")
    words = []
    if dead:
        words.append(f"{listed(dead)} {'is' if len(dead) == 1 else 'are'} dead.")
    if gone:
        words.append(f"{listed(gone)} surrendered.")
    return " ".join(words)
