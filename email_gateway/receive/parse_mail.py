"""From the bytes of a mail to its parts, in a time that no sender can stretch.

Python's parser takes time by the square of what some headers hold, and looks at every line once for each level of
parts around it. So the bytes are cut to what a person sends before it sees them.
"""

import re
from email import message_from_bytes, policy
from email.message import Message
from email.parser import BytesHeaderParser

MOST_LINES = 50_000
# Levels and rows of parts together.
MOST_MULTIPARTS = 20
LONGEST_CONTENT_HEADER = 1000
MULTIPART = re.compile(rb"^content-type:\s*multipart/", re.I | re.M)
CONTENT_HEADER = re.compile(rb"^content-[a-z-]{1,40}:[^\n]*(?:\n[ \t][^\n]*)*", re.I | re.M)


def parse_headers(raw: bytes) -> Message:
    """Parse the headers of a mail alone; its body stays one text."""
    head = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")[0]
    return BytesHeaderParser(policy=policy.compat32).parsebytes(head)


def parse_mail(raw: bytes) -> Message:
    """Parse bytes into the old, forgiving kind of message: its headers are read only when asked for.

    What is beyond 50,000 lines is left out. A mail of more than 20 multiparts is one without content.
    """
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", MOST_LINES)
    text = CONTENT_HEADER.sub(cut_header, b"\n".join(lines[:MOST_LINES]))
    if len(MULTIPART.findall(text)) > MOST_MULTIPARTS:
        return parse_headers(raw)
    try:
        return message_from_bytes(text, policy=policy.compat32)
    except Exception:  # the parser trips over some broken MIME; the letter is then one without content
        return Message()


def cut_header(found: "re.Match[bytes]") -> bytes:
    header = found.group()
    return header if len(header) <= LONGEST_CONTENT_HEADER else header[:LONGEST_CONTENT_HEADER].rstrip()
