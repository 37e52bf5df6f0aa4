"""Moments and clocks in the words of mails, in the time zone of the reader."""

import datetime
from zoneinfo import ZoneInfo

from accounts.moments import write_moment
from accounts.selectors import read_policy
from duels.paces import describe_pace, describe_rest, explain_pace, get_pace
from duels.selectors import BattleView, ClockRow
from email_gateway.posting.classic import join_names
from email_gateway.posting.wrapping import wrap


def write_day(moment: datetime.datetime | None, zone: ZoneInfo) -> str:
    """Return a moment as the reader's clocks show it; a clock that stands still has none."""
    return write_moment(moment, zone) if moment else "a later day"


def write_time_left(view: BattleView) -> str:
    """Say until when there is time, for the reader's mage or for who is waited for; "" where nobody is."""
    clock = view.clock
    if view.over or clock is None:
        return ""
    whose = "You have" if clock.mage == view.me else f"{clock.mage} has"
    if clock.stops:
        until = f" until {write_moment(clock.stops_until, view.zone)}" if clock.stops_until else ""
        why = join_names(list(clock.stops))
        return wrap(f"The clock of {clock.mage} stands still{until}: {why}.{tell_absence(clock, view)}")
    if clock.in_grace:
        dies = write_day(clock.forfeit_at, view.zone)
        return wrap(f"The time of {clock.mage} is over. {clock.mage} dies on {dies}.")
    return wrap(f"{whose} time until {write_day(clock.ends_at, view.zone)}.")


def write_clock(view: BattleView) -> str:
    """Say at which pace the battle goes and until when there is time; "" where nobody is waited for."""
    left = write_time_left(view)
    return f"{wrap(f'{name_pace(view)}.')}\n{left}" if left else ""


def tell_absence(clock: ClockRow, view: BattleView) -> str:
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


def write_pace(view: BattleView) -> str:
    """Say at which pace the battle goes, and what that means."""
    return wrap(f"{name_pace(view)}. {explain_pace(get_pace(view.terms.pace, read_policy()))}")


def name_pace(view: BattleView) -> str:
    """Return the pace in a few words: "Classic pace, 21 days a turn"."""
    terms = view.terms
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    words = ", ".join(words for words in (describe_pace(get_pace(terms.pace, read_policy())), rest) if words)
    return words[:1].upper() + words[1:]
