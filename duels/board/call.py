"""The call: the page's one heading, which is also its title, and the time left."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from django.utils import dateformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from duels.board.bar import PageState
from duels.board.links import MageLink
from duels.board.parts import Part
from duels.board.story import StoryTurn
from duels.names import list_result_names, listed, name_agreed_draw, name_sides
from duels.paces import count_days, count_hours, count_minutes
from duels.real_deaths import explain_unreal_deaths
from duels.selectors.battle_view import BattleView
from duels.selectors.first_moves import find_fate
from operations.text.dates import name_zone
from rules_engine import AGREED, CALLED_OFF

MINUTE, HOUR, DAY = 60, 3600, 86400
# With more names, the bar has only room for their number; the board says who is thinking.
MOST_NAMED = 2


@dataclass(frozen=True)
class TimeLeft:
    """The time until a moment, in words that count down, and the moment itself."""

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
    """Heading, title of the page, sentence and time left. `last_chance`: the time left is the grace period after a
    deadline."""

    text: str
    title: str
    sentence: str
    is_your_move: bool
    time: TimeLeft | None
    last_chance: bool
    last: LastTurn | None
    hands: tuple[MageLink, ...]
    # What a phone shows instead while it shows the result of the last turn.
    played: str = ""


@dataclass(frozen=True)
class _Words:
    text: str
    sentence: str = ""
    is_your_move: bool = False
    is_timed: bool = False


def time_left(until: datetime.datetime | None, now: datetime.datetime, zone: ZoneInfo) -> TimeLeft | None:
    """Return ``2 days 4 hours`` (minutes if under an hour) and the exact time in `zone`; None without a deadline."""
    if until is None:
        return None
    seconds = max(0, int((until - now).total_seconds()))
    return TimeLeft(
        span_in_words(seconds), until.isoformat(), _("until %(moment)s") % {"moment": exact_moment(until, zone)}
    )


def exact_moment(moment: datetime.datetime, zone: ZoneInfo) -> str:
    """Return ``Monday 5 May, 14:00 Europe/Berlin``."""
    day_and_time = pgettext("date format", "l j F, H:i")
    return f"{dateformat.format(moment.astimezone(zone), day_and_time)} {name_zone(zone)}"


def span_in_words(seconds: int) -> str:
    """Return a span of time in its two largest units."""
    days, hours, minutes = seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // MINUTE
    if days:
        return f"{count_days(days)} {count_hours(hours)}".strip()
    if hours:
        return f"{count_hours(hours)} {count_minutes(minutes)}".strip()
    return count_minutes(max(1, minutes))


def outcome_words(result: Mapping[str, object] | None) -> str:
    """Return the outcome of the battle as a heading."""
    if not result:
        return _("The battle is over")
    winners, sharing = list_result_names(result, "winners"), list_result_names(result, "sharing")
    if winners:
        words = _("Outright victory to %(names)s") if result.get("reason") == "kill" else _("Victory to %(names)s")
        return words % {"names": listed(winners)}
    if sharing:
        return _("A draw between %(names)s") % {"names": listed(sharing)}
    if agreed := name_agreed_draw(result):
        return agreed
    return {
        "all_dead": _("Nobody is left alive"),
        "all_surrendered": _("Everyone has surrendered"),
        "called_off": _("The battle is called off"),
        "ended_by_league": _("The league has ended the duel"),
        "ended_by_cup": _("The cup has ended the duel"),
    }.get(str(result.get("reason")), _("Nobody wins"))


def make_call(
    view: BattleView,
    state: PageState,
    latest: StoryTurn | None,
    hands: tuple[MageLink, ...],
    now: datetime.datetime,
    *,
    ended: str = "",
    fallen: str = "",
) -> Call:
    """Return the call: `latest` is the last turn of the story, `hands` the viewer's mages to choose from.

    After the end, `ended` is a sentence on what ended the battle, and `fallen` the player's mage if it died for good.
    """
    words = _call_out(view, state, ended, fallen)
    last_chance = bool(words.is_timed and view.deadline and view.clock and view.clock.in_grace)
    title = f"{words.text}. {name_sides([row.name for row in view.combatants])}"
    return Call(
        text=words.text,
        title=f"● {title}" if words.is_your_move else title,
        sentence=_last_chance(view) if last_chance else words.sentence,
        is_your_move=words.is_your_move,
        time=time_left(view.deadline, now, view.zone) if words.is_timed else None,
        last_chance=last_chance,
        last=LastTurn(latest.key, latest.label, latest.headline) if latest else None,
        hands=hands,
        played=_("Turn %(turn)s is played") % {"turn": latest.label} if latest and state == "draft" else "",
    )


def _last_chance(view: BattleView) -> str:
    assert view.clock is not None
    if view.clock.mage == view.me:
        if find_fate(view, view.clock.mage) == "dies":
            last = _("Your time is up. This is your last chance: without orders, your mage dies.")
            return f"{last} {explain_unreal_deaths(view, [view.clock.mage])}".rstrip()
        if len(view.combatants) > 2:
            return _("Your time is up. This is your last chance: without orders, your mage leaves the battle.")
        return _("Your time is up. This is your last chance: without orders, the duel is called off.")
    return _("%(mage)s is out of time. This is their last chance.") % {"mage": view.clock.mage}


def _call_out(view: BattleView, state: PageState, ended: str, fallen: str) -> _Words:
    label, others = view.view.label, [name for name in view.waiting_for if name != view.me]
    if view.battle.status == "annulled":
        return _Words(_("The battle is annulled"), _("It does not count, and its mages are free."))
    if view.over:
        text = _("%(mage)s is dead") % {"mage": fallen} if fallen else _own_outcome(view)
        return _Words(text or outcome_words(view.result), ended or _ended(view))
    if view.stuck:
        return _Words(_("Turn %(turn)s is stuck") % {"turn": label})
    if state in ("sealed", "watch", "spectator"):
        text = _("Turn %(turn)s: waiting for %(names)s") if others else _("Turn %(turn)s resolves")
        text %= {"turn": label, "names": _name_or_count(others)}
        if view.terms.orders_final:
            sentence = _("Your orders are in, and final.")
        elif len(others) > MOST_NAMED:
            sentence = _("Your orders are in. You can change them until everyone is ready.")
        else:
            sentence = ngettext(
                "Your orders are in. You can change them until %(names)s is ready.",
                "Your orders are in. You can change them until %(names)s are ready.",
                len(others),
            )
            sentence %= {"names": listed(others)}
        return _Words(text, sentence if state == "sealed" and others else "", is_timed=True)
    if view.stage_key.stage:
        return _Words(_("Turn %(turn)s: a question for you") % {"turn": label}, is_your_move=True, is_timed=True)
    move = _("Turn %(turn)s: your move") % {"turn": label}
    if others:
        words = ngettext("%(names)s is still thinking.", "%(names)s are still thinking.", len(others))
        return _Words(move, words % {"names": _name_or_count(others)}, is_your_move=True, is_timed=True)
    ready = [row.name for row in view.combatants if row.asked and row.ready and not row.mine]
    sentence = _("%(mage)s is ready.") % {"mage": ready[0]} if len(ready) == 1 else _("Everyone else is ready.")
    unhurried = _("No clock in your first duel.") if view.terms.lesson else ""
    told = " ".join(filter(None, [sentence if ready else "", unhurried]))
    return _Words(move, told, is_your_move=True, is_timed=True)


def _name_or_count(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names)
    return ngettext("%(count)s mage", "%(count)s mages", len(names)) % {"count": len(names)}


def _own_outcome(view: BattleView) -> str:
    """Return the outcome for the player; "" for others, and if all mages belong to one player."""
    result = view.result or {}
    winners = list_result_names(result, "winners")
    if view.me is None or all(row.mine for row in view.combatants):
        return ""
    if agreed := name_agreed_draw(result):
        return agreed
    if not winners:
        is_draw = list_result_names(result, "sharing") or result.get("reason") == "all_dead"
        return _("A draw") if is_draw and len(view.combatants) == 2 else ""
    if not any(row.mine and row.name in winners for row in view.combatants):
        return ngettext("%(names)s wins", "%(names)s win", len(winners)) % {"names": listed(winners)}
    others = [row.name for row in view.combatants if not row.mine]
    return _("You beat %(mage)s") % {"mage": others[0]} if len(view.combatants) == 2 else _("You won")


def _ended(view: BattleView) -> str:
    result = view.result
    if not result:
        return ""
    dead, gone, absent = (list_result_names(result, key) for key in ("dead", "surrendered", "absent"))
    words = []
    if dead:
        died = ngettext("%(names)s is dead.", "%(names)s are dead.", len(dead))
        words.append(died % {"names": listed(dead)})
        words.append(explain_unreal_deaths(view, dead))
    if gone:
        surrendered = ngettext("%(names)s surrendered.", "%(names)s surrendered.", len(gone))
        words.append(surrendered % {"names": listed(gone)})
    if result.get("by") and result.get("reason") == CALLED_OFF:
        words.append(_("%(mage)s called it off: its first turn had waited too long.") % {"mage": result["by"]})
    if result.get("reason") == AGREED:
        words.append(_("%(mage)s offered it.") % {"mage": result.get("by")})
    if absent:
        words.append(
            ngettext("%(names)s never moved.", "%(names)s never moved.", len(absent)) % {"names": listed(absent)}
        )
    return " ".join(filter(None, words))
