"""Mails of the house itself: what the janitors announce."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from email_gateway.compose.plain_html import render_plain
from email_gateway.compose.stop_link import write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.wrapping import wrap


def compose_site_news(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail with an announcement of the janitors."""
    del kind
    return write_site_mail("News of Firetop Mountain", [str(facts["text"])], user=user, stops="mail_news")


def write_site_mail(
    subject: str, parts: list[str], *, user: User, stops: str = "", button: tuple[str, str] | None = None
) -> Mail:
    """Return a mail of sentences. `button` is a word and where it leads, `stops` the preference that stops its kind."""
    where = f"What is mailed to you: {link_to('accounts:preferences')}"
    told = [*parts, *([f"{button[0]}: {button[1]}"] if button else []), where]
    return Mail(
        subject=subject,
        text="\n\n".join(wrap(part) for part in told) + "\n",
        html=render_plain(heading=subject, parts=[*parts, where], button=button),
        list_id="house",
        unsubscribe=write_stop_link(user, stops) if stops else "",
    )
