"""Times and clocks in words for emails, in the reader's time zone."""

import datetime
from functools import partial
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from duels.gap_words import describe_gap
from duels.names import listed
from duels.paces import describe_pace, describe_rest, get_pace
from duels.paces import explain_time as explain_pace_and_rule
from duels.real_deaths import explain_unreal_deaths
from duels.selectors.battle_view import BattleView
from duels.selectors.clocks import ShownClock
from duels.selectors.first_moves import find_fate
from email_gateway.text.layout import wrap
from operations.selectors import read_policy
from operations.text.dates import write_moment


def write_day(moment: datetime.datetime | None, zone: ZoneInfo) -> str:
    """Return a time in the reader's time zone; a stopped clock has none."""
    return write_moment(moment, zone) if moment else _("a later day")


def write_time(view: BattleView) -> str:
    """Say the battle's pace, and the deadline of the reader's mage or of the mage
    that the battle waits for; "" if there is none."""
    clock = view.clock
    if view.over or clock is None:
        return ""
    words = (name_whole_pace(view), describe_time_left(clock, view), explain_restart(view))
    return wrap(" ".join(filter(None, words)))


def explain_restart(view: BattleView) -> str:
    """Say why the clocks of a live battle started again in this stage; "" if they did not."""
    return describe_gap(view.time_rows.last_gap, partial(write_moment, zone=view.zone))


def describe_time_left(clock: ShownClock, view: BattleView) -> str:
    if clock.stops:
        slots = {"mage": clock.mage, "why": listed(clock.stops)}
        message = _("%(mage)s's clock is stopped: %(why)s.")
        if clock.stops_until:
            message = _("%(mage)s's clock is stopped until %(moment)s: %(why)s.")
            slots["moment"] = write_moment(clock.stops_until, view.zone)
        return f"{message % slots}{describe_absence(clock, view)}"
    if clock.in_grace:
        slots = {"mage": clock.mage, "moment": write_day(clock.forfeit_at, view.zone)}
        if find_fate(view, clock.mage) != "dies":
            return _("%(mage)s has run out of time and is out on %(moment)s.") % slots
        message = _("%(mage)s has run out of time and dies on %(moment)s.") % slots
        return f"{message} {explain_unreal_deaths(view, [clock.mage])}".rstrip()
    message = (
        _("You have time until %(moment)s.") if clock.mage == view.me else _("%(mage)s has time until %(moment)s.")
    )
    return message % {"mage": clock.mage, "moment": write_day(clock.ends_at, view.zone)}


def describe_absence(clock: ShownClock, view: BattleView) -> str:
    """Return how much absence the battle allows, how much was used before, and when it is used up; "" for a user
    who is not away. Begins with a space."""
    absence = clock.absence
    if absence is None:
        return ""
    slots = {
        "days": absence.most.days,
        "used": absence.before.days,
        "moment": write_moment(absence.used_up_at, view.zone),
    }
    allowed = _("A battle allows %(days)s days of absence in all.")
    if absence.before.days:
        allowed = _("A battle allows %(days)s days of absence in all; %(used)s had been used before.")
    then = _(
        "The limit is reached on %(moment)s. After that, the others choose together: they wait, let a bot play, call "
        "the battle off, or claim it."
    )
    if view.terms.stake.is_event:
        then = _("The limit is reached on %(moment)s. After that, the other player can claim the duel.")
    return f" {allowed % slots} {then % slots}"


def is_between_two(view: BattleView) -> bool:
    """Return whether the battle has only two users: then an absence affects only the other one."""
    return len({row.user for row in view.combatants if row.standing == "in"}) <= 2


def explain_time(view: BattleView) -> str:
    return wrap(explain_pace_and_rule(get_pace(view.terms.pace, read_policy())))


def name_whole_pace(view: BattleView) -> str:
    """Return "Fast pace, 4 days a turn, clocks rest on weekends."."""
    terms = view.terms
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    words = ", ".join(part for part in (describe_pace(get_pace(terms.pace, read_policy())), rest) if part)
    return f"{words[:1].upper()}{words[1:]}."
