"""Emails about challenges: the news, the state of the challenge, and the lines to answer with."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.models import User
from challenges.errors import ChallengeNotFound
from challenges.selectors.hosting import find_hosted_duel
from challenges.selectors.lists import get_challenge_for_user
from challenges.shown import ShownChallenge
from duels.names import listed
from email_gateway.addresses import make_challenge_address
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import (
    STATES,
    MailLink,
    News,
    describe_challenge_news,
    describe_seat,
    link_to_email,
    list_answers,
    list_links,
    list_orders,
    list_terms,
    list_votes,
    write_challenge_status,
    write_order_offer,
    write_settings_line,
    write_stop_link,
)
from email_gateway.compose.parts.challenge_news import TEMPLATES
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to, link_to_path
from email_gateway.text.layout import wrap
from notifications.kinds import KINDS
from notifications.models import SkipReason
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

# Their news says what became of the challenge.
ENDING = ("challenge_withdrawn", "challenge_closed", "challenge_excluded")


@composes(*TEMPLATES)
def compose_challenge_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email to this user about news of a challenge. Raises NothingToSend."""
    try:
        challenge = get_challenge_for_user(number=facts["number"], user=user)
    except ChallengeNotFound as error:
        raise NothingToSend from error
    if KINDS[kind].may_be_settled and challenge.is_over:  # nobody can do what it asks for
        raise NothingToSend(SkipReason.SETTLED)
    if kind == "seek_opened" and not challenge.own.may_join:
        raise NothingToSend(SkipReason.SETTLED)
    zone = zone_of(user)
    news = describe_challenge_news(kind, facts, zone)
    page = link_to_path(f"/{'battles' if challenge.status == 'started' else 'challenges'}/{challenge.number}/")
    footer = (_("The battle: %(link)s") if challenge.status == "started" else _("The challenge: %(link)s")) % {
        "link": page
    }
    why = explain_why_sent(challenge, list(facts.get("mages", ())))
    if kind == "challenged" and not challenge.is_over and find_hosted_duel(number=challenge.number) is not None:
        news = news._replace(sentences=(*news.sentences, explain_hosting()))
    parts = [
        *(wrap(sentence) for sentence in news.sentences),
        "" if challenge.is_over and kind in ENDING else write_challenge_status(challenge, zone),
        write_order_offer(challenge),
        "\n".join(part for part in (why and wrap(why), footer, write_settings_line()) if part),
    ]
    address = "" if challenge.is_over else make_challenge_address(user_id=user.pk, number=challenge.number)
    links = [
        link_to_email(words, to=address, subject=news.subject, lines=[line]) for words, line in list_answers(challenge)
    ]
    return Mail(
        subject=news.subject,
        links=list_links(links),
        text="\n\n".join(part for part in parts if part) + "\n",
        html=render_challenge(challenge, news, page, kind, why, links, zone),
        reply_to=address,
        thread=f"challenge.{challenge.number}",
        list_id=f"{challenge.number}.challenges",
        unsubscribe=write_stop_link(user, KINDS[kind].preference),
    )


def explain_hosting() -> str:
    return _(
        "It is a newcomer's first duel with a person. Both of you write notes as you play, and read each other's at "
        "the end. If you don't answer within a day, another host is asked."
    )


def explain_why_sent(row: ShownChallenge, mages: list[str]) -> str:
    """Return why the reader gets this email; "" if it is about none of their mages."""
    if not mages:
        return ""
    message = _("You get this because %(mages)s is in challenge %(number)s.")
    return message % {"mages": listed(mages), "number": row.number}


def render_challenge(
    row: ShownChallenge, news: News, page: str, kind: str, why: str, links: Sequence[MailLink], zone: ZoneInfo
) -> str:
    """Return the HTML part: tables, inline styles, nothing loaded from elsewhere; its text says everything too."""
    kicker = _("Challenge %(number)s") if row.title == news.title else _("Challenge %(number)s, %(title)s")
    return render_to_string(
        "email_gateway/challenge_mail.html",
        {
            "kicker": kicker % {"number": row.number, "title": row.title},
            "heading": news.title,
            "preheader": " ".join(news.sentences),
            "news": news.sentences,
            "button": _("Open the battle") if row.status == "started" else _("Open the challenge"),
            "page": page,
            "mail_links": links,
            "over": write_challenge_status(row, zone) if row.is_over and kind not in ENDING else "",
            "seats": []
            if row.is_over
            else [(seat, describe_seat(seat)) for seat in row.seating.seats if seat.state in STATES],
            "terms": [] if row.is_over else list_terms(row),
            "proposals": []
            if row.is_over
            else [(each, write_moment(each.expires_at, zone), list_votes(each, row)) for each in row.proposals],
            "orders": "\n".join(list_orders(row)),
            "why": why,
            "preferences": link_to("accounts:notices"),
        },
    )
