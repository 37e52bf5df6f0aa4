"""Mails to the janitors: what waits for one of them. What a mail says is read on the admin pages, struck of secrets."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from email_gateway.links import link_to
from email_gateway.posting.answers import wrap
from email_gateway.posting.mail import Mail
from email_gateway.posting.plain_html import render_plain


def compose_janitor_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail that tells a janitor of a mail that came in."""
    number, page = facts["mail"], link_to("admin:email_gateway_inboundmail_change", facts["mail"])
    subject, news = {
        "mail_stuck": (
            f"Mail {number} is stuck",
            f"Mail {number} met a fault of ours again and again (reference {facts.get('reference')}). It is kept "
            "whole, and can be obeyed again from the admin pages once the fault is mended.",
        ),
        "mail_for_janitors": (
            f"Mail {number} is for the janitors",
            "Somebody writes to the postmaster.",
        ),
    }[kind]
    return Mail(
        subject=subject,
        text=f"{wrap(news)}\n\n{page}\n",
        html=render_plain(heading=subject, parts=[news], button=("Read it", page)),
    )
