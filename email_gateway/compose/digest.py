"""The daily email, with the texts of that day's emails: the newest of each thread in full."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from email_gateway.compose.parts import flow, render_tables, write_settings_line, write_stop_link
from email_gateway.deliver.mail import Mail

RULE = "-" * 60


def compose_digest(mails: Sequence[Mail], *, count: int, user: User) -> Mail:
    """Combine the emails of a day, oldest first, into one with `count` pieces of news. A single email keeps its own
    text and reply address."""
    subject = ngettext("Firetop Mountain: %(count)s update", "Firetop Mountain: %(count)s updates", count) % {
        "count": count
    }
    parts = [f"{mail.subject}\n\n{mail.text.strip()}" for mail in mails]
    how = _("To send orders, begin with a USER line, or use the site.")
    footer = f"{how}\n{write_settings_line()}"
    only = mails[0].reply_to if len(mails) == 1 else ""
    return Mail(
        subject=subject,
        text=f"\n\n{RULE}\n".join([*parts, footer]) + "\n",
        html=render_tables(
            heading=subject, parts=[flow(one) for part in [*parts, footer] for one in part.split("\n\n")]
        ),
        reply_to=only,
        list_id="digest",
        unsubscribe=write_stop_link(user, "mail_turns"),
        secret=any(mail.secret for mail in mails),
    )
