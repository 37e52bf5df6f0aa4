"""Emails to absent users: warnings of what they may lose, what they lost, and a welcome after a vacation."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from duels.selectors.battle_lists import ShownBattle, list_battles_waiting_for
from email_gateway.compose.composers import composes
from email_gateway.compose.site_mail import write_site_mail
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from notifications.kinds import KINDS
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

ANYTHING = gettext_lazy(
    "To prevent this, send any order for one of your mages, or press the button on the My mages page."
)


class Words(NamedTuple):
    """Subject and sentences of an email, the word on its button, and the URL name of the page it leads to."""

    subject: str
    parts: list[str]
    button: str
    page: str


def describe_idle(facts: Mapping[str, Any], user: User) -> Words:
    mage, end = facts["mage"], write_moment(datetime.fromisoformat(facts["acts_at"]), zone_of(user))
    news = _(
        "%(mage)s has been inactive for a long time and has no score. If you do nothing by %(moment)s, %(mage)s will "
        "leave the mountain for good."
    )
    if facts["score"] > 0:
        news = _(
            "%(mage)s has been inactive for a long time. If you do nothing by %(moment)s, %(mage)s will retire. "
            "Their score of %(score)s stays on the honour roll, and a challenge brings %(mage)s back."
        )
    news %= {"mage": mage, "moment": end, "score": facts["score"]}
    return Words(name_inactive(mage), [news, str(ANYTHING)], name_keeping(mage), "accounts:mages")


def name_inactive(mage: str) -> str:
    return _("%(mage)s is inactive") % {"mage": mage}


def name_keeping(mage: str) -> str:
    return _("Keep %(mage)s") % {"mage": mage}


def describe_retired_long(facts: Mapping[str, Any], user: User) -> Words:
    mage, end = facts["mage"], write_moment(datetime.fromisoformat(facts["acts_at"]), zone_of(user))
    news = _(
        "%(mage)s has been retired for a long time. If you do nothing by %(moment)s, %(mage)s will leave the "
        "mountain for good."
    ) % {"mage": mage, "moment": end}
    return Words(name_inactive(mage), [news, str(ANYTHING)], name_keeping(mage), "accounts:mages")


def describe_mageless(facts: Mapping[str, Any], user: User) -> Words:
    end = write_moment(datetime.fromisoformat(facts["acts_at"]), zone_of(user))
    news = _(
        "Your account %(user)s has no mage and has been inactive for a long time. Register a mage (by email: "
        "REGISTER <mage>), or we will close the account on %(end)s. The name stays yours."
    ) % {"user": user.username, "end": end}
    return Words(
        _("Your account %(user)s has no mage") % {"user": user.username},
        [news],
        _("Register a mage"),
        "accounts:register_mage",
    )


def describe_was_retired(facts: Mapping[str, Any], user: User) -> Words:
    mage = facts["mage"]
    news = _(
        "%(mage)s was inactive for a long time and is now retired. Their score of %(score)s stays on the honour "
        "roll. To bring %(mage)s back, create or accept a challenge."
    ) % {"mage": mage, "score": facts["score"]}
    return Words(_("%(mage)s is now retired") % {"mage": mage}, [news], _("Your mages"), "accounts:mages")


def describe_was_removed(facts: Mapping[str, Any], user: User) -> Words:
    mage = facts["mage"]
    news = _(
        "%(mage)s was inactive for a long time and has left the mountain for good. The name stays yours. To start "
        "again with another mage by email, send REGISTER <mage>."
    ) % {"mage": mage}
    return Words(
        _("%(mage)s has left the mountain") % {"mage": mage}, [news], _("Register a mage"), "accounts:register_mage"
    )


def describe_closed_user(facts: Mapping[str, Any], user: User) -> Words:
    name = facts["user"]
    if facts.get("by"):
        message = _("The janitor %(by)s has closed your account %(name)s, as you asked. Reason: %(reason)s")
        news = message % {"by": facts["by"], "name": name, "reason": facts["reason"]}
        return Words(_("Your account %(name)s is closed") % {"name": name}, [news], _("Sign up"), "account_signup")
    news = _(
        "Your account %(name)s had no mage and was inactive for a long time, so we closed it. You can sign up again "
        "at any time (by email: NEWUSER <name> <mail password>). Nobody else can take the old name."
    ) % {"name": name}
    return Words(_("Your account %(name)s is closed") % {"name": name}, [news], _("Sign up"), "account_signup")


def describe_vacation_over(facts: Mapping[str, Any], user: User) -> Words:
    waiting = list_battles_waiting_for(user)
    what = _("No battle is waiting for you.")
    if waiting:
        rows = "\n".join(write_row(row, zone_of(user)) for row in waiting)
        what = _("These battles are waiting for you, and their clocks are running again:") + f"\n\n{rows}"
    return Words(_("Welcome back"), [_("Your vacation is over."), what], _("Your battles"), "home")


def write_row(row: ShownBattle, zone: ZoneInfo) -> str:
    until = _("until %(moment)s") % {"moment": write_moment(row.deadline, zone)} if row.deadline else ""
    battle = _("%(battle)s, turn %(turn)s") % {"battle": row.battle, "turn": row.label}
    return f"  {battle}: {link_to('duels:battle', row.number)}" + (f"\n    {until}" if until else "")


WORDS = {
    "mage_idle_warning": describe_idle,
    "mage_retired_warning": describe_retired_long,
    "user_mageless_warning": describe_mageless,
    "mage_was_retired": describe_was_retired,
    "mage_was_removed": describe_was_removed,
    "user_closed": describe_closed_user,
    "vacation_over": describe_vacation_over,
}


@composes(*WORDS)
def compose_absence(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email about a mage or user who is inactive for too long, or about the end of a vacation."""
    words = WORDS[kind](facts, user)
    return write_site_mail(
        words.subject,
        words.parts,
        user=user,
        stops=KINDS[kind].preference,
        button=(words.button, link_to(words.page)),
        # Nobody can log in to change the settings of a closed account.
        with_settings=kind != "user_closed",
    )
