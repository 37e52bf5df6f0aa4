"""Dates and times as text, in the reader's time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import dateformat
from django.utils.translation import pgettext

UTC = ZoneInfo("UTC")


def name_zone(zone: ZoneInfo) -> str:
    """Return the name of a time zone for people: "America/New York"."""
    return zone.key.replace("_", " ")


def write_moment(moment: datetime, zone: ZoneInfo) -> str:
    """Return "Friday 23 May 2031, 21:00 (Asia/Tokyo)", in the reader's language."""
    # Translators: a format of Django's "date" filter.
    written = dateformat.format(moment.astimezone(zone), pgettext("date format", "l j F Y, H:i"))
    return f"{written} ({name_zone(zone)})"
