"""Writing calendars (iCalendar, RFC 5545): events that are moments, and nothing else. Pure: no rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

LONGEST_LINE = 75
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True)
class Moment:
    """An event without a length: `uid` stays the same when it moves."""

    uid: str
    at: datetime
    summary: str
    url: str


def write_calendar(*, name: str, moments: Iterable[Moment], stamp: datetime) -> str:
    """Return a calendar; `stamp` says when it was written."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Firetop Mountain//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{escape(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        *(line for each in moments for line in _write_event(each, stamp)),
        "END:VCALENDAR",
    ]
    return "".join(f"{fold(line)}\r\n" for line in lines)


def _write_event(moment: Moment, stamp: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escape(moment.uid)}"
    yield f"DTSTAMP:{_write_time(stamp)}"
    yield f"DTSTART:{_write_time(moment.at)}"
    yield f"SUMMARY:{escape(moment.summary)}"
    yield f"URL:{moment.url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _write_time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escape(text: str) -> str:
    """Return a TEXT value (section 3.3.11)."""
    return text.translate(_ESCAPED)


def fold(line: str) -> str:
    """Return a content line in parts of at most 75 octets, each after the first begun by a space (section 3.1); no
    letter is cut."""
    parts, part, size = [], "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LONGEST_LINE:
            parts.append(part)
            part, size = " ", 1
        part, size = part + letter, size + octets
    return "\r\n".join([*parts, part])
