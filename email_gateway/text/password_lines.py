"""The lines of an email that contain a password or a token, and how much of them may be shown."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from email_gateway.text.lines import TYPOGRAPHY, UNSEEN_MARKS

MASK = "*****"
NEAR = 0.7
PASSWORD_KEYWORDS = ("USER", "NEWUSER")
PASSWORD_ONLY_KEYWORDS = ("PASSWORD", "PASSWD", "LOGIN", "PASSWORT", "KENNWORT", "PWD")
# Marks of bold text, brackets or quotation marks around a keyword, tags and codes of HTML, and slashes or bars after
# the keyword: they count as spaces.
DECORATED = re.compile(
    r"(?<!\w)_{0,3}(?P<keyword>(?:new)?user|password|passwd|login)"
    r"(?:\s{0,3}[>)\]}\"”“«»*_`|/\\;#]|['’](?=[\s:=,]))+",
    re.I,
)
CODES = re.compile(
    r"</?(?:b|i|u|em|strong|p|div|span|code|tt|pre|font|br|li|td)\b[^<>]{0,200}>|&(?:lt|gt|quot|nbsp|#39);", re.I
)
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
# A USER line further on in a line, as below a greeting that a mail program has joined to it; and "mail password ...".
JOINED = re.compile(
    r"(?P<lead>.*?\b(?:(?:NEW)?USER[\s:=]+\w{2,20}|(?i:mail[\s-]?password))\s+)"
    r"(?P<secret>(?=\S*[^\W\d_])(?=\S*[\d!$%&*+=?-])\S{6,})\s*"
)
# A word that nobody writes in a sentence: letters with digits or marks between them.
LIKE_PASSWORD = re.compile(r"(?=\S*[^\W\d_])(?=\S*\d|\S*[^\W\d_][!$%&*+=?_#@-]+\w)\S{6,}")
# An order with names, although its keyword is nearly USER.
USERS_LINE = re.compile(r"[\s>]*users\b", re.I)
LONE_NAME = re.compile(r"\W*(?:new)?user\s*[:=]?\s+\S+\s*", re.I)
# Between a name and a password.
NAME = re.compile(r"(?P<name>[^\s/:=,|;\\]+)(?P<gap>[\s/:=,|\\]+|;(?=\S))(?P<secret>\S.*)", re.S)
# A gap in the form of an order, as our emails print it: <mail password>. A password has no spaces.
GAP_OF_FORM = re.compile(r"<[^\W\d_]+(?: [^\W\d_]+)+>")
# The end of a remark in one of our answers: it names a rule, and nobody else ends a line that way.
END_OF_REMARK = re.compile(r"[.?!]\s+\[[A-Z]{2}-[A-Z]{2,12}-\d{1,3}\]\s*\Z")
SHORTEST_SECRET = 6
# Marks of quoting and of lists, and the start of a subject line.
LEAD = re.compile(
    r"(?P<lead>\W*(?:(?:\d{1,3}|[a-z])[.)]\W*)?(?:subject:\s*)?(?:(?:re|aw|fwd?|wg|tr|rv|sv)\s*:\s*)*(?:\w*fm\s+)?)"
    r"(?P<keyword>[a-z]+)(?P<gap>[\s:=,]+)(?P<rest>\S.*)",
    re.I,
)
CLOSING_MARKS = "*_`'\"”“»)].,>}"
AROUND = CLOSING_MARKS + "„«([<{"
# A password has no spaces, but its writer may not know that.
MOST_WORDS = 3
# After "the password is", shorter words are often those of a sentence: not, wrong, too.
LONG_WORD = 8


@dataclass(frozen=True)
class SecretLine:
    """A line with a password: the part that may be shown, and the words that may not.

    `is_doubtful`: it may be a sentence that begins like such a line, as "Use my shield".
    """

    shown: str
    secret: str
    is_doubtful: bool = False

    @property
    def words(self) -> set[str]:
        """The words that may not be shown anywhere: the first one, and those that nobody writes in a sentence."""
        words = self.secret.split()
        first = [] if self.is_doubtful else words[:1]
        meant = [*first, *(word for word in words if LIKE_PASSWORD.fullmatch(word.strip(AROUND)))]
        forms = {form for word in meant for form in (word, word.rstrip(CLOSING_MARKS), word.strip(AROUND))}
        return forms | ({self.secret} if first and len(words) <= MOST_WORDS else set())


def read_secret_line(line: str) -> SecretLine | None:
    """Return the parts of a line with a password, or that looks like a misspelt one; None for any other line.

    The keyword counts as the gateway reads it: without invisible marks, in full-width letters too. It also counts in
    brackets, in quotation marks or in bold, in which the gateway would not read it.
    """
    line = UNSEEN_MARKS.sub("", line)
    if remark := END_OF_REMARK.search(line):
        # One that is quoted, as "USER needs a name", repeats no password; but a mail program may join lines.
        words, end = line[: remark.start() + 1], line[remark.start() + 1 :]
        has_secret = any(LIKE_PASSWORD.fullmatch(word.strip(AROUND)) for word in words.split())
        found = _read_line(words) if has_secret else None
        return replace(found, shown=found.shown + end, is_doubtful=True) if found else None
    return _read_line(line)


def _read_line(line: str) -> SecretLine | None:
    bare = open_up(line.translate(TYPOGRAPHY))
    found = LEAD.match(bare)
    if found is None:
        return read_misplaced_secret(line, bare)
    written, rest = found["keyword"], line[found.start("rest") :]
    keyword, head = written.upper(), line[: found.start("rest")]
    if resembles(keyword, PASSWORD_ONLY_KEYWORDS):
        is_exact = keyword in PASSWORD_ONLY_KEYWORDS
        name, secret = "", rest
    elif resembles(keyword, PASSWORD_KEYWORDS):
        is_exact = keyword in PASSWORD_KEYWORDS
        parts = NAME.match(bare[found.start("rest") :])
        if parts is None or not (is_exact or parts["gap"][0].isspace()):
            return read_misplaced_secret(line, bare)
        name, secret = rest[: parts.end("name")] + " ", rest[parts.start("secret") :]
    else:
        return read_misplaced_secret(line, bare)
    secret = strip_comment(secret)
    if GAP_OF_FORM.match(secret) or GAP_OF_FORM.match(rest):
        return None
    is_sentence = len(secret.split()) > 1 and not any(map(LIKE_PASSWORD.fullmatch, secret.split()))
    if is_sentence and not is_exact and not written.isupper():
        return read_misplaced_secret(line, bare)
    return SecretLine(f"{head}{name}{MASK}", secret, not written.isupper() and (is_sentence or not is_exact))


def open_up(line: str) -> str:
    """Return a line of the same length with spaces for what decorates a keyword."""
    if "<" in line or "&" in line:
        line = CODES.sub(lambda found: " " * len(found[0]), line)
    return DECORATED.sub(
        lambda found: found["keyword"].rjust(found.end("keyword") - found.start()).ljust(len(found[0])), line
    )


def read_misplaced_secret(line: str, bare: str) -> SecretLine | None:
    """Return the parts of a line with a password or token where none belongs. `bare` is the line without decoration."""
    for form in (SAID, MISPLACED, JOINED):
        if found := form.fullmatch(bare):
            start, end = found.span("secret")
            tail = line[end:] if "tail" in found.groupdict() else ""
            secret = line[start:end]
            is_doubtful = form is SAID and len(secret.strip(AROUND)) < LONG_WORD
            return SecretLine(f"{line[:start]}{MASK}{tail}", secret, is_doubtful)
    token = TOKEN.search(line)
    return SecretLine(TOKEN.sub(MASK, line), token[0]) if token else None


def find_secrets(rows: Iterable[str]) -> set[str]:
    """Return the passwords and tokens anywhere in an email: one may have moved to the line
    below its USER."""
    secrets: set[str] = set()
    is_named = False
    for row in (UNSEEN_MARKS.sub("", row) for row in rows):
        found = read_secret_line(row)
        if found and not USERS_LINE.match(row):
            secrets |= found.words
        elif is_named and row.strip() and " " not in row.strip():
            secrets.add(row.strip())
        is_named = bool(LONE_NAME.fullmatch(open_up(row))) or (is_named and not row.strip())
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
