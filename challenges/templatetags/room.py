"""Lines of the lobby's room on pages."""

import re
from datetime import datetime, timedelta

from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()

# What may follow the site's address in a link; what a sentence puts after it is no part of it.
PATH = r"/[\w\-./?=&%#]*(?<![.?&])"
BATTLE = re.compile(r"/battles/(\d{1,9})/(?:\?turn=(\d{1,4}))?")


@register.filter
def link_own_pages(text: str) -> SafeString:
    """Return a line with links to pages of this site; every other address stays plain text."""
    site = settings.FM_SITE_URL.rstrip("/")
    parts = re.split(rf"(?<![^\s(“\"'])({re.escape(site)}{PATH})", text, flags=re.ASCII)
    # Every other part is an address.
    return mark_safe("".join(_write_link(part, site) if n % 2 else escape(part) for n, part in enumerate(parts)))


def _write_link(address: str, site: str) -> SafeString:
    battle = BATTLE.fullmatch(address.removeprefix(site))
    if battle is None:
        words = address.partition("://")[2]
    elif battle[2]:
        words = _("Battle %(number)s, turn %(turn)s") % {"number": battle[1], "turn": battle[2]}
    else:
        words = _("Battle %(number)s") % {"number": battle[1]}
    return format_html('<a href="{}">{}</a>', address.removeprefix(site), words)


@register.filter
def waiting(since: datetime) -> str:
    """Return for how long someone has been waiting."""
    if timezone.now() - since < timedelta(minutes=1):
        return _("Waiting for less than a minute.")
    return _("Waiting for %(time)s.") % {"time": timesince(since, depth=1)}


@register.filter
def moment_of_line(moment: datetime) -> str:
    """Return the time of a line, with its day unless that is today."""
    local = timezone.localtime(moment)
    words = time_format(local, "H:i")
    if local.date() == timezone.localdate():
        return words
    day = date_format(local, pgettext("date format", "j M"))
    return f"{day}, {words}"


@register.filter
def have_waited(since: datetime) -> str:
    """Return to someone for how long they have been waiting."""
    if timezone.now() - since < timedelta(minutes=1):
        return _("You have waited less than a minute.")
    return _("You have waited %(time)s.") % {"time": timesince(since, depth=1)}
