"""Moments and clocks in the words of mails, in the time zone of the reader."""

import datetime
from zoneinfo import ZoneInfo

from accounts.selectors import read_policy
from duels.paces import describe_pace, describe_rest, explain_pace, get_pace
from duels.selectors import BattleView
from email_gateway.posting.classic import join_names
from email_gateway.posting.wrapping import wrap


def write_moment(moment: datetime.datetime | None, zone: ZoneInfo) -> str:
    """Return a moment as the reader's clocks show it."""
    return f"{moment.astimezone(zone):%A %-d %B %Y, %H:%M} ({zone.key.replace('_', ' ')})" if moment else "a later day"


def write_time_left(view: BattleView) -> str:
    """Say until when there is time, for the reader's mage or for who is waited for; "" where nobody is."""
    clock = view.clock
    if view.over or clock is None:
        return ""
    whose = "You have" if clock.mage == view.me else f"{clock.mage} has"
    if clock.stops:
        return wrap(f"The clock of {clock.mage} stands still: {join_names(list(clock.stops))}.")
    if clock.in_grace:
        dies = write_moment(clock.forfeit_at, view.zone)
        return wrap(f"The time of {clock.mage} is over. {clock.mage} dies on {dies}.")
    return wrap(f"{whose} time until {write_moment(clock.ends_at, view.zone)}.")


def write_pace(view: BattleView) -> str:
    """Say at which pace the battle goes, and what that means."""
    terms = view.terms
    pace = get_pace(terms.pace, read_policy())
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    first = ", ".join(words for words in (describe_pace(pace), rest) if words)
    return wrap(f"{first[:1].upper()}{first[1:]}. {explain_pace(pace)}")
