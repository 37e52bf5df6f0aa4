"""Emails to users who stay away: what they may lose, what they lost, and a welcome after a vacation."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from accounts.models import User
from duels.selectors import BattleRow, list_battles_waiting_for
from email_gateway.compose.site_mail import write_site_mail
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from fm_site.notifications.selectors import zone_of
from fm_site.operations.moments import write_moment

ANYTHING = "Any order for one of your mages will do, and so does the button on the page of your mages."


class Words(NamedTuple):
    """Subject and sentences of a mail, and the word on its button; the page it leads to is a name of an address."""

    subject: str
    parts: list[str]
    button: str
    page: str


def compose_absence(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail about a mage or user who rests for too long, or about a vacation that is over."""
    words = WORDS[kind](facts, user)
    stops = "mail_reminders" if kind == "vacation_over" else ""
    return write_site_mail(
        words.subject, words.parts, user=user, stops=stops, button=(words.button, link_to(words.page))
    )


def describe_idle(facts: Mapping[str, Any], user: User) -> Words:
    mage, end = facts["mage"], write_moment(datetime.fromisoformat(facts["acts_at"]), zone_of(user))
    fate = (
        f"{mage} retires: the score of {facts['score']} stays in the honour roll, and a challenge is the way back"
        if facts["score"] > 0
        else f"{mage} leaves the mountain for good, as there is no score to stay for"
    )
    news = f"{mage} has rested for long. If you do nothing until {end}, {fate}."
    return Words(f"Remember {mage}?", [news, ANYTHING], f"Keep {mage}", "accounts:mages")


def describe_retired_long(facts: Mapping[str, Any], user: User) -> Words:
    mage, end = facts["mage"], write_moment(datetime.fromisoformat(facts["acts_at"]), zone_of(user))
    news = f"{mage} has been retired for long. If you do nothing until {end}, {mage} leaves the mountain for good."
    return Words(f"Remember {mage}?", [news, ANYTHING], f"Keep {mage}", "accounts:mages")


def describe_mageless(facts: Mapping[str, Any], user: User) -> Words:
    end = write_moment(datetime.fromisoformat(facts["acts_at"]), zone_of(user))
    news = (
        f"Your user {user.username} has no mage, and did nothing for long. Register a mage (by mail: REGISTER "
        f"<mage>), or the user is closed on {end}. The name stays yours."
    )
    return Words(f"Your user {user.username}", [news], "Register a mage", "accounts:register_mage")


def describe_was_retired(facts: Mapping[str, Any], user: User) -> Words:
    mage = facts["mage"]
    news = (
        f"{mage} rested for so long that {mage} is retired now. The score of {facts['score']} stays in the honour "
        f"roll; a challenge that {mage} makes or accepts is the way back."
    )
    return Words(f"Remember {mage}? Retired now", [news], "Your mages", "accounts:mages")


def describe_was_removed(facts: Mapping[str, Any], user: User) -> Words:
    mage = facts["mage"]
    news = (
        f"{mage} rested for so long that {mage} has left the mountain for good. The name stays yours. To begin with "
        "another by mail, send REGISTER <mage>."
    )
    return Words(f"Remember {mage}? Gone now", [news], "Register a mage", "accounts:register_mage")


def describe_closed_user(facts: Mapping[str, Any], user: User) -> Words:
    name = facts["user"]
    news = (
        f"Your user {name} had no mage and did nothing for long, and is closed. You are welcome as a new user whenever "
        "you like (by mail: NEWUSER <name> <mail password>); nobody else gets the old name."
    )
    return Words(f"Your user {name} is closed", [news], "Sign up", "account_signup")


def describe_vacation_over(facts: Mapping[str, Any], user: User) -> Words:
    waiting = list_battles_waiting_for(user)
    what = "No battle waits for you."
    if waiting:
        rows = "\n".join(write_row(row, zone_of(user)) for row in waiting)
        what = f"These battles wait for you, and their clocks run again:\n\n{rows}"
    return Words("Welcome back", ["Your vacation is over.", what], "Your battles", "home")


def write_row(row: BattleRow, zone: ZoneInfo) -> str:
    """Name a battle that waits, where it is, and until when there is time."""
    until = f"\n    until {write_moment(row.deadline, zone)}" if row.deadline else ""
    return f"  {row.battle}, turn {row.label}: {link_to('duels:battle', row.number)}{until}"


WORDS = {
    "mage_idle_warning": describe_idle,
    "mage_retired_warning": describe_retired_long,
    "user_mageless_warning": describe_mageless,
    "mage_was_retired": describe_was_retired,
    "mage_was_removed": describe_was_removed,
    "user_closed": describe_closed_user,
    "vacation_over": describe_vacation_over,
}
