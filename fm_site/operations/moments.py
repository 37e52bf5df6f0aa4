"""Dates and times as text, in the reader's time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

UTC = ZoneInfo("UTC")


def name_zone(zone: ZoneInfo) -> str:
    """Return the name of a time zone for people: "America/New York"."""
    return zone.key.replace("_", " ")


def write_moment(moment: datetime, zone: ZoneInfo) -> str:
    """Return "Friday 23 May 2031, 21:00 (Asia/Tokyo)"."""
    return f"{moment.astimezone(zone):%A %-d %B %Y, %H:%M} ({name_zone(zone)})"
