"""The lines of an email that contain a password or a token, and how much of them may be shown."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from email_gateway.text.lines import TYPOGRAPHY, UNSEEN_MARKS

MASK = "*****"
NEAR = 0.7
PASSWORD_KEYWORDS = ("USER", "NEWUSER")
PASSWORD_ONLY_KEYWORDS = ("PASSWORD", "PASSWD", "LOGIN")
# "My password is ...", in the languages that people write to us in; and a token of the API.
SAID = re.compile(
    r"(?P<lead>.*?(?:\bpass(?:word|wd|phrase|code)?|\bpwd|passwort|kennwort|mot de passe|contraseña|wachtwoord|"
    r"lösenord|hasło|пароль|\bsenha)\s*(?:\bis\b|\bist\b|\best\b|\bes\b|[:=：])\s*)(?P<secret>\S+)(?P<tail>.*)",
    re.I,
)
TOKEN = re.compile(r"\bfm_[\w-]{20,}")
# If these orders end in a word that none of their forms has and that looks like a password, it is a misplaced password.
MISPLACED = re.compile(
    r"(?P<lead>[\s>*|]*(?:ACCEPT|DECLINE|WITHDRAW|OPPOSE|GAME|MOVE|MAGE|REGISTER|RETIRE|QUIT|CHANGEUSER|VACATION|CONFIRM)"
    r"\b.*\s)(?P<secret>(?=\S*[^\W\d_])(?=\S*[\d!$%&*+=?-])\S{8,})\s*",
    re.I,
)
# A USER line further on in a line, as below a greeting that a mail program has joined to it.
JOINED = re.compile(
    r"(?P<lead>.*?\b(?:NEW)?USER[\s:=]+\w{2,20}\s+)(?P<secret>(?=\S*[^\W\d_])(?=\S*[\d!$%&*+=?-])\S{6,})\s*"
)
# An order with names, although its keyword is nearly USER.
USERS_LINE = re.compile(r"[\s>]*users\b", re.I)
LONE_NAME = re.compile(r"[\s>]*(?:new)?user\s*[:=]?\s+\S+\s*", re.I)
SHORTEST_SECRET = 6
# Marks of quoting and of lists, and the start of a subject line.
LEAD = re.compile(
    r"(?P<lead>\W*(?:(?:\d{1,3}|[a-z])[.)]\W*)?(?:subject:\s*)?(?:(?:re|aw|fwd?|wg|tr|rv|sv)\s*:\s*)*(?:\w*fm\s+)?)"
    r"(?P<keyword>[a-z]+)(?P<gap>[\s:=,]+)(?P<rest>\S.*)",
    re.I,
)
CLOSING_MARKS = "*_`'\"”“»)].,"


@dataclass(frozen=True)
class SecretLine:
    """A line with a password: the part that may be shown, and the words that may not."""

    shown: str
    secret: str


def read_secret_line(line: str) -> SecretLine | None:
    """Return the parts of a line with a password, or that looks like a misspelt one; None for any other line.

    The keyword counts as the gateway reads it: without invisible marks, in full-width letters too.
    """
    line = UNSEEN_MARKS.sub("", line)
    order = LEAD.match(line.translate(TYPOGRAPHY))
    if order is None:
        return read_misplaced_secret(line)
    keyword, rest = order["keyword"].upper(), line[order.start("rest") :]
    head = line[: order.start("rest")]
    if resembles(keyword, PASSWORD_ONLY_KEYWORDS):
        return SecretLine(head + MASK, strip_comment(rest))
    name, *secret = rest.split(maxsplit=1)
    if not resembles(keyword, PASSWORD_KEYWORDS) or not secret:
        return read_misplaced_secret(line)
    return SecretLine(f"{head}{name} {MASK}", strip_comment(secret[0]))


def read_misplaced_secret(line: str) -> SecretLine | None:
    """Return the parts of a line with a password or token where none belongs."""
    for form in (SAID, MISPLACED, JOINED):
        if match := form.fullmatch(line):
            tail = match.groupdict().get("tail") or ""
            return SecretLine(f"{match['lead']}{MASK}{tail}", match["secret"])
    token = TOKEN.search(line)
    return SecretLine(TOKEN.sub(MASK, line), token[0]) if token else None


def find_secrets(rows: Iterable[str]) -> set[str]:
    """Return the passwords and tokens anywhere in an email: one may have moved to the line
    below its USER."""
    secrets: set[str] = set()
    is_named = False
    for row in (UNSEEN_MARKS.sub("", row) for row in rows):
        secret_line = read_secret_line(row)
        if secret_line and not USERS_LINE.match(row):
            words = (secret_line.secret, *secret_line.secret.split())
            secrets |= {form for word in words for form in (word, word.rstrip(CLOSING_MARKS))}
        elif is_named and row.strip() and " " not in row.strip():
            secrets.add(row.strip())
        is_named = bool(LONE_NAME.fullmatch(row)) or (is_named and not row.strip())
    return {secret for secret in secrets if len(secret) >= SHORTEST_SECRET}


def mask_secrets(text: str, secrets: Iterable[str]) -> str:
    """Remove secrets anywhere in a text."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def strip_comment(text: str) -> str:
    """Remove a comment after a space: a password may contain a semicolon, though the classic server's could not."""
    return re.split(r"(?:^|\s);", text.strip())[0].strip()


@lru_cache(1024)
def resembles(keyword: str, known: tuple[str, ...]) -> bool:
    """Return whether a word is nearly one of these. Cached: many lines of a quoted report begin with the same words."""
    return any(is_near(keyword, one) for one in known)


def is_near(keyword: str, known: str) -> bool:
    """Return whether two words are nearly the same. The two upper bounds are cheap, and few pairs get past them."""
    length = len(keyword) + len(known)
    if 2 * min(len(keyword), len(known)) < NEAR * length:
        return False
    if 2 * (Counter(keyword) & Counter(known)).total() < NEAR * length:
        return False
    return SequenceMatcher(None, keyword, known).ratio() >= NEAR


def show_line(line: str) -> str:
    """Return a line as an answer may repeat it."""
    secret = read_secret_line(line)
    return secret.shown if secret else line
