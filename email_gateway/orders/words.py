"""Keywords and words of order lines, and the lines that carry a password."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches

MASK = "*****"
NEAR = 0.7
PASSWORD_KEYWORDS = ("USER", "NEWUSER")
PASSWORD_ONLY_KEYWORDS = ("PASSWORD", "PASSWD")
LEAD = re.compile(
    r"(?P<lead>[\s>*|:]*(?:subject:\s*)?(?:\w*fm\s+)?)(?P<keyword>[a-z]+)(?P<gap>[\s:=,]+)(?P<rest>\S.*)", re.I
)


def split_words(text: str) -> list[str]:
    """Return the words of an order line, the comment after `;` struck off (FM-ORDGEN-6)."""
    return text.partition(";")[0].split()


def find_nearest(word: str, known: Iterable[str], *, cutoff: float = NEAR) -> str | None:
    """Return the known keyword that a word most resembles, if any does."""
    found = get_close_matches(word.upper(), list(known), n=1, cutoff=cutoff)
    return found[0] if found else None


@dataclass(frozen=True)
class SecretLine:
    """A line that gives a password: what may be shown of it, and the words that may not."""

    shown: str
    secret: str


def read_secret_line(line: str) -> SecretLine | None:
    """Return the parts of a line that gives a password, or looks like a misspelt one; None for any other."""
    found = LEAD.match(line)
    if found is None:
        return None
    keyword = found["keyword"].upper()
    head = f"{found['lead']}{found['keyword']}{found['gap']}"
    if resembles(keyword, PASSWORD_ONLY_KEYWORDS):
        return SecretLine(head + MASK, strip_comment(found["rest"]))
    name, _, secret = found["rest"].partition(" ")
    if not resembles(keyword, PASSWORD_KEYWORDS) or not secret.strip():
        return None
    return SecretLine(f"{head}{name} {MASK}", strip_comment(secret))


def strip_comment(text: str) -> str:
    """Strike off a comment that stands apart: a password may hold a semicolon, though FM's could not."""
    return re.split(r"(?:^|\s);", text.strip())[0].strip()


def resembles(keyword: str, known: Iterable[str]) -> bool:
    return any(SequenceMatcher(None, keyword, one).ratio() >= NEAR for one in known)


def show_line(line: str) -> str:
    """Return a line as an answer may repeat it."""
    secret = read_secret_line(line)
    return secret.shown if secret else line
