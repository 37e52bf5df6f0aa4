"""Mails between players and janitors: warnings, suspensions, answers to reports."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import User
from email_gateway.compose.site_mail import write_site_mail
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.wrapping import quote
from fm_site.notifications.selectors import zone_of
from fm_site.operations.moments import write_moment


def compose_moderation(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail that tells a user what a janitor decided about them, or answered them."""
    facts = {**facts, "ends_at": write_end(facts, user)}
    subject, parts, button, page = WORDS[kind](facts)
    return write_site_mail(subject, parts, user=user, button=(button, link_to(page)))


def write_end(facts: Mapping[str, Any], user: User) -> str:
    end = facts.get("ends_at")
    return f"until {write_moment(datetime.fromisoformat(end), zone_of(user))}" if end else "until further notice"


def describe_warned(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    parts = [
        f"A janitor of Firetop Mountain warns you:\n\n{quote(facts['text'])}",
        "Please acknowledge that you have read it before you go on: on the page, or by a mail with these two lines:\n\n"
        "  USER <name> <mail password>\n  ACKNOWLEDGE",
        f"If you think it wrong, write to {facts['appeal']}.",
    ]
    return "A warning from the janitors", parts, "Read and acknowledge", "accounts:standing"


def describe_suspended(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    parts = [
        f"You are suspended {facts['ends_at']}:\n\n{quote(facts['reason'])}",
        "Until then you may read everything, and neither play nor write. The clocks of your battles go on.",
        f"If you think it wrong, write to {facts['appeal']}.",
    ]
    return "You are suspended", parts, "See how it stands", "accounts:standing"


def describe_suspension_over(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    return "Your suspension is over", ["You may play and write again."], "Your battles", "home"


def describe_report_answered(facts: Mapping[str, Any]) -> tuple[str, list[str], str, str]:
    parts = [f"You reported {facts['subject']}. A janitor answers:\n\n{quote(facts['answer'])}"]
    return f"Your report about {facts['subject']}", parts, "Your reports", "reports"


WORDS = {
    "account_warned": describe_warned,
    "user_suspended": describe_suspended,
    "suspension_over": describe_suspension_over,
    "report_answered": describe_report_answered,
}
