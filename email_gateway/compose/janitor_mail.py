"""Mails to the janitors: what waits for one of them. What a mail says is read on the admin pages, struck of secrets."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from email_gateway.compose.plain_html import render_plain
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.wrapping import wrap


def compose_janitor_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail that tells a janitor of a mail that came in, or of a battle that replays otherwise."""
    del user
    subject, news, button, page = WORDS[kind](facts)
    return Mail(
        subject=subject,
        text=f"{wrap(news)}\n\n{page}\n",
        html=render_plain(heading=subject, parts=[news], button=(button, page)),
    )


def describe_stuck(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    number = facts["mail"]
    news = (
        f"Mail {number} met a fault of ours again and again (reference {facts.get('reference')}). It is kept whole, "
        "and can be obeyed again from the admin pages once the fault is mended."
    )
    return f"Mail {number} is stuck", news, "Read it", link_to("admin:email_gateway_inboundmail_change", number)


def describe_letter(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    number = facts["mail"]
    page = link_to("admin:email_gateway_inboundmail_change", number)
    return f"Mail {number} is for the janitors", "Somebody writes to the postmaster.", "Read it", page


def describe_failing_address(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    name = facts["name"]
    news = (
        f"Mails to {name} come back. Until a mail of ours is answered or the address is changed, {name} counts as a "
        "player whom mail does not reach."
    )
    page = link_to("admin:email_gateway_mailaddress_change", facts["address"])
    return f"Mails to {name} come back", news, "See why", page


def describe_renamed(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    old, new = facts["old"], facts["new"]
    page = link_to("admin:accounts_user_change", facts["user"])
    return f"{old} is {new} now", f"The user {old} has taken the name {new}.", "See the user", page


def describe_scores(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    rows = facts["rows"]
    news = (
        f"A score is the sum of its rows, and {rows} {'row does' if rows == 1 else 'rows do'} not follow from the rows "
        f"before. The first: {'; '.join(facts['named'])}. Nothing was changed."
    )
    return "Scores disagree with their rows", news, "See the rows", link_to("admin:ladder_scoreentry_changelist")


def describe_replay(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """A battle may go on, so that a janitor who reads this may play in it: what differs is named, and not shown."""
    number = facts["battle"]
    news = (
        f"The rules do not play turn {facts['turn']} of battle {number} as it was played: {facts['what']} came out "
        f"otherwise. Nothing of the battle is changed. manage.py replay_battles {number} shows the difference."
    )
    return f"Battle {number} replays otherwise", news, "Open the battle", link_to("duels:battle", number)


def describe_report(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    page = link_to("admin:moderation_report_change", facts["report"])
    return f"A report about {facts['subject']}", f"A player reports {facts['subject']}.", "Read and answer", page


def describe_chore(facts: Mapping[str, Any]) -> tuple[str, str, str, str]:
    news = f"The nightly {facts['chore']} was not done. {facts['reason']}"
    return f"No {facts['chore']} tonight", news, "See the chores", link_to("admin:operations_chore_changelist")


WORDS = {
    "mail_stuck": describe_stuck,
    "mail_for_janitors": describe_letter,
    "battle_replays_otherwise": describe_replay,
    "address_fails": describe_failing_address,
    "user_renamed": describe_renamed,
    "scores_disagree": describe_scores,
    "report_made": describe_report,
    "chore_fails": describe_chore,
}
