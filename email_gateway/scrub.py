"""The stored copy of an email, without passwords, reply addresses, codes and links with a key."""

import re

from email_gateway.addresses import REPLY_ADDRESS
from email_gateway.text.letter import Letter
from email_gateway.text.lines import UNSEEN_MARKS
from email_gateway.text.password_lines import MASK, find_secrets, mask_secrets, read_secret_line

SHORTEST_SECRET = 3
LINK = re.compile(r"(https?://[^\s<>\"'/]+)(/[^\s<>\"']+)")
SHORTEST_KEY = 8
# Forms of emailed codes: letters in two groups of four, letters and digits in groups, or digits alone.
CODE = re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b|\b(?=[A-Z-]{0,10}\d)[A-Z0-9]{3,5}-[A-Z0-9]{3,5}\b|\b\d{6,8}\b")
MOST_KEPT = 20_000


def scrub_text(text: str) -> str:
    """Return `text` without anything that could be used again: a password is removed everywhere in it."""
    rows = UNSEEN_MARKS.sub("", text[:MOST_KEPT]).split("\n")
    found = [read_secret_line(row) for row in rows]
    text = "\n".join(line.shown if line else row for row, line in zip(rows, found, strict=True))
    secrets = set().union(*(line.words for line in found if line))
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, MASK)
    text = mask_secrets(text, find_secrets(rows))
    text = hide_reply_addresses(text)
    return CODE.sub(MASK, LINK.sub(hide_key, text))


def hide_key(link: re.Match[str]) -> str:
    """Return a link without the last part of its path that may be a key."""
    parts = link[2].split("/")
    keys = [place for place, part in enumerate(parts) if len(part) >= SHORTEST_KEY]
    return link[1] + "/".join([*parts[: keys[-1]], MASK, *parts[keys[-1] + 1 :]]) if keys else link[0]


def hide_reply_addresses(text: str) -> str:
    """Return `text` without signed reply addresses, which any reader could use."""
    return REPLY_ADDRESS.sub(MASK, text)


def scrub_letter(letter: Letter) -> str:
    """Return the copy of an email to store."""
    return scrub_text(f"Subject: {letter.subject}\nFrom: {letter.sender}\nDate: {letter.date}\n\n{letter.text}")
