"""Moments and clocks in the words of mails, in the time zone of the reader."""

import datetime
from zoneinfo import ZoneInfo

from duels.paces import describe_pace, describe_rest, explain_pace, get_pace
from duels.selectors import BattleView, ClockRow
from email_gateway.compose.classic import join_names
from email_gateway.text.wrapping import wrap
from fm_site.operations.moments import write_moment
from fm_site.operations.selectors import read_policy


def write_day(moment: datetime.datetime | None, zone: ZoneInfo) -> str:
    """Return a moment as the reader's clocks show it; a clock that stands still has none."""
    return write_moment(moment, zone) if moment else "a later day"


def write_time(view: BattleView) -> str:
    """Say at which pace the battle goes, and until when there is time for the reader's mage or for who is waited for;
    "" where nobody is."""
    clock = view.clock
    return "" if view.over or clock is None else wrap(f"{name_whole_pace(view)} {describe_time_left(clock, view)}")


def describe_time_left(clock: ClockRow, view: BattleView) -> str:
    if clock.stops:
        until = f" until {write_moment(clock.stops_until, view.zone)}" if clock.stops_until else ""
        why = join_names(list(clock.stops))
        return f"The clock of {clock.mage} stands still{until}: {why}.{describe_absence(clock, view)}"
    if clock.in_grace:
        return f"The time of {clock.mage} is over. {clock.mage} dies on {write_day(clock.forfeit_at, view.zone)}."
    whose = "You have" if clock.mage == view.me else f"{clock.mage} has"
    return f"{whose} time until {write_day(clock.ends_at, view.zone)}."


def describe_absence(clock: ClockRow, view: BattleView) -> str:
    """Say how much absence the battle allows, how much was used before, and when it is used up; "" for who is there.
    What follows is said with a blank before it."""
    absence = clock.absence
    if absence is None:
        return ""
    before = f", of which {absence.before.days} were used before" if absence.before.days else ""
    return (
        f" A battle allows {absence.most.days} days of absence in all{before}. They are used up on "
        f"{write_moment(absence.used_up_at, view.zone)}; from then on the others may end the battle, without score and "
        "without a death, or wait."
    )


def is_between_two(view: BattleView) -> bool:
    """Whether no third user is in the battle: then one's absence is the other's alone to bear."""
    return len({row.user for row in view.combatants if row.standing == "in"}) <= 2


def explain_time(view: BattleView) -> str:
    """Say what the pace of the battle means."""
    return wrap(explain_pace(get_pace(view.terms.pace, read_policy())))


def name_whole_pace(view: BattleView) -> str:
    """Return "Fast pace, 4 days a turn, clocks rest on weekends."."""
    terms = view.terms
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    words = ", ".join(part for part in (describe_pace(get_pace(terms.pace, read_policy())), rest) if part)
    return f"{words[:1].upper()}{words[1:]}."
