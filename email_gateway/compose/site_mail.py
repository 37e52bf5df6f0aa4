"""Emails in simple sentences: janitors' announcements, and players' messages, which show no address."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from duels.names import listed
from email_gateway.compose.parts import render_plain, write_settings_line, write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.text.layout import quote, wrap


def compose_site_news(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with an announcement of the janitors."""
    return write_site_mail(_("News from Firetop Mountain"), [str(facts["text"])], user=user, stops="mail_news")


def write_site_mail(
    subject: str,
    parts: list[str],
    *,
    user: User,
    stops: str = "",
    button: tuple[str, str] | None = None,
    with_settings: bool = True,
) -> Mail:
    """Return an email of sentences. `button` is a word and its link, `stops` the setting that stops its kind;
    `with_settings` adds a link to the email settings."""
    footer = [write_settings_line()] if with_settings else []
    paragraphs = [*parts, *([f"{button[0]}: {button[1]}"] if button else []), *footer]
    return Mail(
        subject=subject,
        text="\n\n".join(wrap(part) for part in paragraphs) + "\n",
        html=render_plain(heading=subject, parts=parts, button=button, below=footer),
        list_id="site",
        unsubscribe=write_stop_link(user, stops) if stops else "",
    )


def compose_message(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with a message of another player, or with an announcement in a battle."""
    if kind == "message":
        mage = str(facts["mage"])
        subject = _("A message from %(mage)s") % {"mage": mage}
        opening = _("%(mage)s's owner writes to %(names)s:") % {"mage": mage, "names": listed(facts["named"])}
        answer = f"MESSAGE <your mage> {mage}\n" + _("your words") + "\nEND MESSAGE"
    else:
        numbers = [str(number) for number in facts["battles"]]
        subject = _("An announcement from %(user)s") % {"user": facts["user"]}
        opening = _("%(user)s writes to everyone in battle %(numbers)s:") % {
            "user": facts["user"],
            "numbers": listed(numbers),
        }
        answer = f"ANNOUNCE {' '.join(numbers)}\n" + _("your words") + "\nEND ANNOUNCE"
    said = quote(facts["text"])
    lines = "\n".join(f"  {row}" for row in answer.split("\n"))
    how = _("To reply, send these lines below a USER line:") + f"\n\n{lines}"
    where = write_settings_line()
    parts = [f"{opening}\n\n{said}", how, where]
    return Mail(
        subject=subject,
        text="\n\n".join([wrap(opening), wrap(said), how, where]) + "\n",
        html=render_plain(heading=subject, parts=parts),
        list_id="messages",
        unsubscribe=write_stop_link(user, "mail_messages"),
    )
