"""Mails about challenges."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from challenges.errors import ChallengeNotFound
from challenges.rows import ChallengeRow
from challenges.selectors import get_challenge_for_user
from challenges.words import describe_difference
from email_gateway.addresses import make_challenge_address
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to, link_to_path
from email_gateway.orders.challenge import describe_row
from email_gateway.posting.answers import wrap
from email_gateway.posting.classic import join_names
from email_gateway.posting.mail import Mail
from email_gateway.posting.plain_html import render_plain


def compose_challenge_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail that tells this user what became of a challenge. Raises NothingToSend."""
    try:
        row = get_challenge_for_user(number=facts["number"], user=user)
    except ChallengeNotFound as error:
        raise NothingToSend(str(error)) from error
    subject, news = tell_news(kind, facts)
    parts = [news, describe_row(row) if not row.is_over else "", *offer_answers(row)]
    page = link_to_path(f"/{'battles' if row.status == 'started' else 'challenges'}/{row.number}/")
    footer = f"{page}\nWhat is mailed to you: {link_to('accounts:preferences')}"
    return Mail(
        subject=subject,
        text="\n\n".join([*(wrap(part) for part in parts if part), footer]) + "\n",
        html=render_plain(heading=subject, parts=[part for part in parts if part], button=("Open it", page)),
        reply_to="" if row.is_over else make_challenge_address(user_id=user.pk, number=row.number),
        thread=f"challenge.{row.number}",
        unsubscribe=link_to("accounts:preferences"),
    )


def tell_news(kind: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return the subject and the sentence that says what happened."""
    if kind.startswith("change_"):
        return tell_change(kind, facts)
    number, challenger = facts["number"], facts.get("challenger", "")
    mages = join_names(list(facts.get("mages", ())))
    mage = facts.get("mage", "")
    return {
        "challenged": (
            f"Challenge {number}: {challenger} challenges {mages}",
            f"{challenger} challenges {mages} to a battle.",
        ),
        "challenge_accepted": (f"Challenge {number}: {mage} accepts", f"{mage} accepts challenge {number}."),
        "challenge_declined": (
            f"Challenge {number}: {mage} declines",
            f"{mage} declines challenge {number}."
            + (" Nobody else is asked: withdraw it, or open it to others." if facts.get("alone") else ""),
        ),
        "challenge_withdrawn": (
            f"Challenge {number} is withdrawn",
            f"{challenger} withdraws challenge {number}. There is no battle.",
        ),
        "challenge_excluded": (
            f"Challenge {number} has begun without {mages}",
            f"Challenge {number} has become a battle, and {mages} had not answered.",
        ),
        "challenge_uninvited": (
            f"Challenge {number} is not for {mages}",
            f"{mages} {'is' if len(facts.get('mages', ())) == 1 else 'are'} not asked to challenge {number} any more.",
        ),
    }[kind]


def tell_change(kind: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return the subject and the sentence about a proposed change."""
    number, change = facts["number"], facts["change"]
    words = [describe_difference(each["what"], each["before"], each["after"]) for each in facts["differences"]]
    what = ", ".join(each.sentence for each in words)
    head = f"Challenge {number}: change {change}" if change else f"Challenge {number}"
    title, news = {
        "change_proposed": ("is proposed", f"{facts['proposer']} proposes a change"),
        "change_adopted": ("is adopted" if change else "has changed", f"The change of {facts['proposer']} is made"),
        "change_rejected": ("is rejected", f"The change that {facts['proposer']} proposed is rejected"),
        "change_taken_back": ("is taken back", f"{facts['proposer']} takes a proposed change back"),
        "change_lapsed": ("has lapsed", f"The change that {facts['proposer']} proposed has lapsed"),
    }[kind]
    return f"{head} {title}", f"{news}: {what}."


def offer_answers(row: ChallengeRow) -> list[str]:
    """Return the orders that the reader may answer the mail with."""
    if row.is_over:
        return []
    lines = [f"  ACCEPT {row.number} {name}" for name in row.actions.accept]
    lines += [f"  DECLINE {row.number} {name}" for name in (*row.actions.decline, *row.actions.leave)]
    lines += [f"  WITHDRAW {row.number} {row.actions.withdraw}"] if row.actions.withdraw else []
    return ["Answer this mail with one of these lines:\n\n" + "\n".join(lines)] if lines else []
