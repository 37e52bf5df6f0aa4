"""Emails of the lobby's room, which is a mailing list for those who want it: a reply is a line."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import dateformat
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from challenges.models import ROOM_LINE_LENGTH
from challenges.selectors.room import list_lines_to_mail
from email_gateway.addresses import make_room_address
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import render_plain, write_settings_line, write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to
from email_gateway.text.layout import quote, wrap
from notifications.selectors.notices import zone_of


@composes("room_talk")
def compose_talk(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with these lines of the room, as they stand now: without those removed since, and without those
    of users behind a block. Raises NothingToSend if only the reader's own are left."""
    lines = list_lines_to_mail(keys=facts["lines"], reader=user)
    if all(line.writer_id == user.pk for line in lines):
        raise NothingToSend
    zone, last = zone_of(user), lines[-1].pk
    day = lines[0].written_at.astimezone(zone)
    # Translators: a format of Django's "date" filter.
    subject = _("Talk in the lobby, %(day)s") % {"day": dateformat.format(day, pgettext("date format", "j F"))}
    said = [(write_heading(line.writer, line.written_at, zone), quote(line.text)) for line in lines]
    how = _(
        "Reply to this email to say something to everyone: at most %(most)s characters, which anyone can read on the "
        "site. Your address is not shown."
    ) % {"most": ROOM_LINE_LENGTH}
    stop = _("To stop these emails, reply with the one word UNSUBSCRIBE.")
    where = _("The lobby: %(link)s") % {"link": link_to("lobby")}
    below = [how, stop, where, write_settings_line()]
    address = make_room_address(user_id=user.pk, line=last)
    return Mail(
        subject=subject,
        text="\n\n".join([*(f"{heading}\n{wrap(text)}" for heading, text in said), *map(wrap, below)]) + "\n",
        html=render_plain(heading=subject, parts=[f"{heading}\n\n{text}" for heading, text in said], below=below),
        sender=_("talk"),
        reply_to=address,
        thread=f"room.{day:%Y-%m-%d}",
        list_id="talk",
        unsubscribe=write_stop_link(user, "mail_talk"),
        # Answering machines leave the emails of a list alone.
        extra={"Precedence": "list", "List-Post": f"<mailto:{address}>"},
    )


def write_heading(writer: User, moment: datetime, zone: ZoneInfo) -> str:
    # Translators: a format of Django's "date" filter.
    when = dateformat.format(moment.astimezone(zone), pgettext("date format", "l, H:i"))
    return _("%(user)s, %(when)s:") % {"user": writer.username, "when": when}


def merge_talk(all_facts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the facts of one email for what several say."""
    return {"lines": [key for facts in all_facts for key in facts["lines"]]}
