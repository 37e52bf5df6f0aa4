"""What hooks say about battles: the battle, what happened, and who it waits for, as a spectator sees it.

A hook may lead to a room of many people, so a user's own says no more than a battle's or the site's: nothing of what a
turn brought, and only public readiness.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from duels.board.links import battle_url
from duels.models import Battle
from duels.names import list_result_names, listed, name_agreed_draw, name_sides
from duels.selectors.battle_lists import ShownBattle, list_battles_by_number
from league.cup_words import CUP_KINDS, name_cup, tell_of_cup
from notifications.hook_formats import HookMessage
from notifications.hook_texts import writes_hook
from notifications.kinds import OWN_TIME


@writes_hook("battle_started", "turn_resolved", "stage_asked", *OWN_TIME, "last_missing")
def write_own_move(kind: str, facts: Mapping[str, Any], user: User) -> HookMessage | None:
    """Say what a battle wants of the user, or that its turn is over; None if the battle has gone on since."""
    row = _find_current(facts)
    if row is None:
        return None
    own = set(_list_mages_of(row, user)) & set(row.waiting_for)
    if not own and kind != "turn_resolved" and kind != "battle_started":
        return None
    if kind == "last_missing":
        if set(row.waiting_for) != own:
            return None
        return _write(row, _("Turn %(turn)s: only your move is missing.") % {"turn": row.label})
    if kind in OWN_TIME:
        return _write(row, _("Turn %(turn)s: your time is running out.") % {"turn": row.label})
    if own:
        return _write(row, _("Turn %(turn)s: it's your move.") % {"turn": row.label})
    return _write(row, _name_event(kind, facts))


@writes_hook("open_start", "open_turn", "open_last")
def write_open_move(kind: str, facts: Mapping[str, Any], user: User) -> HookMessage | None:
    """Say that a battle has begun or a turn is over; None if the battle has gone on since."""
    row = _find_current(facts)
    if row is None or (kind == "open_last" and len(row.waiting_for) != 1):
        return None
    if kind == "open_last":
        return _write(row, _("Turn %(turn)s: one move is missing.") % {"turn": row.label})
    return _write(row, _name_event(kind, facts))


@writes_hook("battle_finished", "open_end")
def write_end(kind: str, facts: Mapping[str, Any], user: User) -> HookMessage | None:
    """Say how a battle ended; None if it was reopened."""
    row = _read(facts)
    if row is None or row.battle.status != Battle.Status.FINISHED:
        return None
    winners = list_result_names(row.battle.result, "winners")
    if winners:
        return _write(row, _("It is over. Won by %(mages)s.") % {"mages": listed(winners)})
    if agreed := name_agreed_draw(row.battle.result):
        return _write(row, _("It is over. %(how)s.") % {"how": agreed})
    return _write(row, _("It is over, without a winner."))


@writes_hook("draw_offered", "draw_declined")
def keep_among_players(kind: str, facts: Mapping[str, Any], user: User) -> None:
    """Say nothing of an offer of a draw: only the two players know of it, and a room has other readers."""


def _read(facts: Mapping[str, Any]) -> ShownBattle | None:
    """Return the battle as a stranger sees it."""
    return next(iter(list_battles_by_number([facts["battle"]], None)), None)


def _find_current(facts: Mapping[str, Any]) -> ShownBattle | None:
    """Return the battle, if the stage in which the notice was written, or the turn after it, is open."""
    row = _read(facts)
    if row is None or row.battle.finished_at is not None or row.battle.is_stuck:
        return None
    written = (facts["seq"], facts["attempt"], facts["stage"])
    is_same = written == (row.battle.seq, row.battle.attempt, row.battle.stage)
    return row if is_same or (row.battle.seq == facts["seq"] + 1 and row.battle.stage == 0) else None


def _name_event(kind: str, facts: Mapping[str, Any]) -> str:
    if kind in ("battle_started", "open_start"):
        return _("It has begun.")
    return _("Turn %(turn)s is over.") % {"turn": facts["label"]}


def _list_mages_of(row: ShownBattle, user: User) -> list[str]:
    return [mage for mage, owner in zip(row.mages, row.users, strict=True) if owner == user.username]


def _write(row: ShownBattle, what: str) -> HookMessage:
    title = _("%(battle)s: %(mages)s") % {"battle": row.battle, "mages": name_sides(row.mages)}
    lines = [title, what]
    if row.waiting_for and not row.battle.is_over:
        lines.append(_("Waiting for %(mages)s.") % {"mages": listed(row.waiting_for)})
    return HookMessage("\n".join(lines), settings.FM_SITE_URL + battle_url(row.number))


@writes_hook("open_cup")
def write_open_cup(kind: str, facts: Mapping[str, Any], user: User) -> HookMessage:
    """Say that a cup begins, is cancelled or is over."""
    cup = name_cup(facts["cup_kind"], datetime.fromisoformat(facts["begins_at"]))
    what = {
        "begins": _("It has begun."),
        "cancelled": _("It is cancelled: it could not begin in time.")
        if facts.get("late")
        else _("It is cancelled: too few had signed up."),
        "ends": _("It is over. Won by %(mages)s.") % {"mages": facts["winner"]}
        if facts["winner"]
        else _("It is over, without a winner."),
    }[facts["what"]]
    return HookMessage(f"{cup}\n{what}", settings.FM_SITE_URL + reverse("league:cup", args=[facts["cup"]]))


@writes_hook(*CUP_KINDS)
def write_own_cup(kind: str, facts: Mapping[str, Any], user: User) -> HookMessage:
    link = settings.FM_SITE_URL + reverse("league:cup", args=[facts["cup"]])
    return HookMessage(tell_of_cup(kind, facts), link)
