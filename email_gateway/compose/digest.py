"""The daily email, with the texts of that day's emails: the newest of each thread in full."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from email_gateway.compose.league_mail import write_own_table
from email_gateway.compose.parts import render_several, write_settings_line, write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.layout import wrap

RULE = "-" * 60


def compose_digest(mails: Sequence[Mail], *, count: int, user: User) -> Mail:
    """Combine the emails of a day, oldest first, into one with `count` pieces of news. A single email keeps its own
    text and reply address; to answer several, a USER line says who writes. Players of a league also get its
    table."""
    subject = ngettext("Firetop Mountain: %(count)s update", "Firetop Mountain: %(count)s updates", count) % {
        "count": count
    }
    settings = write_settings_line()
    parts = [(mail.subject, mail.text.replace(settings, "").strip("\n")) for mail in mails]
    links = [mail.links for mail in mails]
    table = write_own_table(user)
    if table is not None:
        parts.append(table)
        links.append([])
    only = mails[0].reply_to if len(mails) == 1 else ""
    how = _("This email is about several things: begin your reply with a USER line, or use the site.")
    footer = settings if only else f"{wrap(how)}\n\n{settings}"
    return Mail(
        subject=subject,
        text=f"\n\n{RULE}\n".join([*(f"{title}\n\n{text}" for title, text in parts), footer]) + "\n",
        html=render_several(
            heading=subject,
            mails=[(title, text, buttons) for (title, text), buttons in zip(parts, links, strict=True)],
            footer=footer,
            button=(_("Open Firetop Mountain"), link_to("home")),
            preheader="; ".join(mail.subject for mail in mails),
        ),
        reply_to=only,
        list_id="digest",
        unsubscribe=write_stop_link(user, "mail_turns"),
        secret=any(mail.secret for mail in mails),
    )
