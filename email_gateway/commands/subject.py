"""Orders on the subject line, as the old server took them (server rules 1.3)."""

import re

PREFIX = re.compile(r"\s*\w{0,12}FM\s+(?P<rest>.+)", re.I)
HELP = re.compile(r"\s*(help|rules)\W*", re.I)


def read_subject_line(subject: str) -> str:
    """Return the order that the subject holds, or nothing: `FM <order>`, or help alone. "FM Orders" is none."""
    found = PREFIX.fullmatch(subject)
    if found and "[" not in subject:
        rest = found["rest"].strip()
        return "" if rest.lower().startswith("orders") else rest
    return "HELP" if HELP.fullmatch(subject) else ""
