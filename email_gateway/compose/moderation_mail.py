"""Emails between players and janitors: warnings, suspensions, answers to reports."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from email_gateway.compose.composers import composes
from email_gateway.compose.site_mail import write_site_mail
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.layout import quote
from email_gateway.text.order_forms import write_form
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment


def describe_warned(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    how = _("Before you play on, confirm that you have read it, on the page or by an email with these two lines:")
    parts = [
        _("The janitor %(by)s warns you:") % {"by": facts["by"]} + f"\n\n{quote(facts['text'])}",
        f"{how}\n\n  {write_form('USER <name> <mail password>')}\n  ACKNOWLEDGE",
        write_appeal(facts),
    ]
    return _("A warning from the janitors"), parts, _("Read and acknowledge"), "accounts:hold"


def describe_suspended(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    message = _("You are suspended until further notice:")
    if facts["ends_at"]:
        message = _("You are suspended until %(moment)s:") % {"moment": facts["ends_at"]}
    parts = [
        f"{message}\n\n{quote(facts['reason'])}",
        _("The janitor %(by)s decided this.") % {"by": facts["by"]},
        _("Until then you can read everything but not play or write. The clocks of your battles keep running."),
        write_appeal(facts),
    ]
    return _("You are suspended"), parts, _("See the details"), "accounts:hold"


def write_appeal(facts: Mapping[str, Any]) -> str:
    return _("If you think this is wrong, write to %(address)s.") % {"address": facts["appeal"]}


def describe_suspension_over(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    parts = [_("You can play and write again.")]
    if "by" in facts:
        lifted = _("The janitor %(by)s lifted it and gives this reason: %(reason)s")
        parts.append(lifted % {"by": facts["by"], "reason": facts["reason"]})
    return _("Your suspension is over"), parts, _("Your battles"), "home"


def describe_report_answered(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    message = _("You reported %(subject)s. A janitor has replied:") % {"subject": facts["subject"]}
    parts = [f"{message}\n\n{quote(facts['answer'])}"]
    return (_("Your report about %(subject)s") % {"subject": facts["subject"]}), parts, _("Your reports"), "reports"


WORDS = {
    "account_warned": describe_warned,
    "user_suspended": describe_suspended,
    "suspension_over": describe_suspension_over,
    "report_answered": describe_report_answered,
}


@composes(*WORDS)
def compose_moderation(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email to a user about a janitor's decision or answer."""
    end = facts.get("ends_at")
    facts = {**facts, "ends_at": write_moment(datetime.fromisoformat(end), zone_of(user)) if end else ""}
    subject, parts, button, page = WORDS[kind](facts)
    return write_site_mail(subject, parts, user=user, button=(button, link_to(page)))
