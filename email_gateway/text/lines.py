"""The lines of an email: finds those that may be orders, and says why others are not.

Every line gets a verdict here or later, so that an answer can mention it. As on the old server, a line that begins
with a mark is not an order, two dashes begin a signature, and nothing after END counts (FM-ORDGEN-8).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from email_gateway.text.quotes import NOTHING, Printed, find_changed, find_headers, find_quote, read_words, strip_marks

MOST_LINES = 1000
LONGEST_LINE = 500
# No mail program breaks a line that is shorter.
SHORTEST_BROKEN = 30


class Unread(TextChoices):
    """Why a line is not read as an order."""

    QUOTED = "quoted", gettext_lazy("quoted from another email")
    SIGNATURE = "signature", gettext_lazy("a signature")
    MARKED = "marked", gettext_lazy("no order begins with this character")
    COMMENT = "comment", gettext_lazy("a comment")
    TOO_LATE = "too late", gettext_lazy("the email is too long")


QUOTED, SIGNATURE, MARKED, COMMENT, TOO_LATE = Unread

# A pair of gestures such as D/P or >/-, which may begin with a mark.
GESTURE_PAIR = re.compile(r"[FPSWDC>\-]\s*/\s*[FPSWDC>\-](?:\s|$)", re.I)
# The marks that mail programs put into plain text for a list, or for bold text.
FORMATTED = re.compile(
    r"(?:[*+\u2022\u00b7\u2023\u25e6\u25aa\u25cf-]\s+|\d{1,2}[.)]\s+)?(?P<mark>\*{1,3}|_{1,3}|`|)(?P<row>.*\S)(?P=mark)"
)
# What orders begin with and sentences don't: a word in capitals, a hand, or two gestures.
CLEAR_ORDER = re.compile(r"[A-Z_]{3,}\b|(?i:[LR]H2?|left|right)\b|(?i:[FPSWDC>\-]\s*/\s*[FPSWDC>\-])(?:\s|$)")
SIGNATURE_START = re.compile(r"--(?:\s*$|\s|\w)|__")
FOOTER = re.compile(
    r"(sent|diverted) from (my|mail|outlook|yahoo|proton|samsung)|sent via |get outlook for |envoyé (de|depuis) mon|"
    r"(von|gesendet von) mein|enviado (desde|do) m|inviato (da|dal) m|verzonden (met|vanaf) mijn|skickat från min",
    re.I,
)
ATTRIBUTION = re.compile(
    r"(on|am|le|el|il|op|den|em)\b.{4,300}"
    r"\b(wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\b.{0,80}:$",
    re.I,
)
ADDRESS = re.compile(r"[<(\[ ][^\s@<>()\[\]]{1,64}@[^\s@<>()\[\]]{1,100}")
WRITES = re.compile(r"(?!say\b).{2,80} writes:$", re.I)
LONGEST_ATTRIBUTION = 300
LONGEST_VERB = 60
ORIGINAL = re.compile(
    r"-{2,}\s*(original message|forwarded message|ursprüngliche nachricht|message d.origine|mensaje original|"
    r"messaggio originale|oorspronkelijk bericht|ursprungligt meddelande)\s*-{2,}",
    re.I,
)
SENDER_FIELD = re.compile(r"\*?(from|von|de|da|van|från)\s?:\*?\s", re.I)
OTHER_FIELD = re.compile(
    r"\*?(sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|fecha|para|asunto|inviato|data|a|oggetto|"
    r"verzonden|aan|onderwerp|skickat|till|ämne)\s?:\*?\s",
    re.I,
)
# Characters that mail programs use instead of plain dashes, marks and spaces.
TYPOGRAPHY = str.maketrans(
    {**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), "\u203a": ">", "\xa0": " ", "\u3000": " ", "\t": " "}
    # Full-width forms of plain letters and marks, from East Asian keyboards.
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
)
UNSEEN_MARKS = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\xad\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]"
)


@dataclass(frozen=True)
class Line:
    """One line: its number in the email (from 1; 0 is the subject), its text, and why it is not an order."""

    number: int
    text: str
    ignored: Unread | None = None

    @property
    def is_blank(self) -> bool:
        return not self.text


def split_lines(text: str, printed: Printed = NOTHING) -> list[Line]:
    """Number the lines of an email and mark those that are not orders. `printed` is the text that it may quote."""
    rows = [remove_format(UNSEEN_MARKS.sub("", row).strip()) for row in text.split("\n")]
    lines: list[Line] = []
    for number, (row, verdict) in enumerate(judge_mail(rows, printed), start=1):
        if number > MOST_LINES and row:
            lines.append(Line(number, row[:40], TOO_LATE))
            break
        lines.append(Line(number, row[:LONGEST_LINE], None if not row else verdict))
    return lines


def remove_format(row: str) -> str:
    """Return an order without the marks of a list or of bold text around it; any other row as it is."""
    found = FORMATTED.fullmatch(row)
    return found["row"] if found and CLEAR_ORDER.match(found["row"].translate(TYPOGRAPHY)) else row


def judge_mail(rows: list[str], printed: Printed) -> list[tuple[str, Unread | None]]:
    """Return each row (without quoting marks if its writer changed it), and why it is not an order, or None."""
    start = find_quote(rows[:MOST_LINES], printed)
    above, below = (rows, []) if start is None else (rows[:start], rows[start:])
    judged = list(zip(above, judge_rows(above, printed.names), strict=True))
    return judged + judge_quote(below, printed)


def judge_quote(rows: list[str], printed: Printed) -> list[tuple[str, Unread | None]]:
    """Judge the rows from our marker on. Rows that we printed are not orders; rows that the writer changed or inserted
    may be.

    If quoted rows have marks, those without are the writer's own, except for the ends of broken lines.
    """
    stripped = [(remove_format(text), is_marked) for text, is_marked in map(strip_marks, rows[:MOST_LINES])]
    bare = [text.translate(TYPOGRAPHY) for text, _ in stripped]
    has_marks = bool(stripped) and stripped[0][1]
    changed = find_changed(bare, printed)
    own = judge_rows(rows, printed.names) if has_marks else iter(())
    judged: list[tuple[str, Unread | None]] = []
    for place, row in enumerate(rows):
        verdict = next(own, None)
        if place >= len(stripped):
            judged.append((row, QUOTED))
            continue
        text, is_marked = stripped[place]
        if has_marks and not is_marked:
            judged.append((row, QUOTED if is_broken_end(stripped, place, printed) else verdict))
        else:
            judged.append((text, judge_row(text)) if place in changed else (row, QUOTED))
    return judged


def is_broken_end(rows: list[tuple[str, bool]], place: int, printed: Printed) -> bool:
    """Return whether a row without marks is the end of the marked one above it, which a mail program broke."""
    above, is_marked = rows[place - 1] if place else ("", False)
    return is_marked and len(above) > SHORTEST_BROKEN and printed.holds(read_words(f"{above} {rows[place][0]}"))


def judge_rows(rows: list[str], names: Iterable[str] = ()) -> Iterator[Unread | None]:
    """Yield for each row why it is not an order, or None. `names` are the senders' names of our own emails."""
    rest: Unread | None = None
    headers = find_headers(rows[:MOST_LINES], names)
    for place, row in enumerate(rows):
        if rest is None and place == headers:
            rest = QUOTED
        attribution = is_attribution(rows, place)
        if rest is None:
            rest = find_end(rows, place, attribution)
        if rest is not None:
            yield rest
        elif attribution or (place and is_attribution(rows, place - 1) == "two rows"):
            yield QUOTED
        else:
            yield judge_row(row)


def judge_row(row: str) -> Unread | None:
    """Return why this row by itself is not an order."""
    if not row or row[0].isalnum() or GESTURE_PAIR.match(row.translate(TYPOGRAPHY)):
        return None
    if row[0] == ">":
        return QUOTED
    return COMMENT if row[0] == ";" else MARKED


def find_end(rows: list[str], place: int, attribution: str | None) -> Unread | None:
    """Return why nothing from this row on was written as an order, or None if it continues."""
    row = rows[place]
    if (SIGNATURE_START.match(row) and not ORIGINAL.match(row)) or FOOTER.match(row):
        return SIGNATURE
    if ORIGINAL.match(row):
        return QUOTED
    if SENDER_FIELD.match(row) and any(OTHER_FIELD.match(other) for other in rows[place + 1 : place + 5]):
        return QUOTED
    if attribution:
        after = rows[place + (2 if attribution == "two rows" else 1) :]
        following = next((other for other in after if other), "")
        return None if following.startswith(">") else QUOTED
    return None


def is_attribution(rows: list[str], place: int) -> str | None:
    """Return whether these rows attribute the quotation below: "one row", "two rows" (a broken line) or None."""
    if ATTRIBUTION.match(rows[place]) or WRITES.match(rows[place]) or names_writer(rows[place]):
        return "one row"
    if place + 1 == len(rows) or not 0 < len(rows[place]) < 200 or rows[place].endswith(":"):
        return None
    return "two rows" if ATTRIBUTION.match(f"{rows[place]} {rows[place + 1]}") else None


def names_writer(row: str) -> bool:
    """Return whether a row says in some language who wrote what follows: it has an address and ends in a colon."""
    if not row.endswith((":", "：")) or not 5 < len(row) < LONGEST_ATTRIBUTION or row[:4].lower() == "say ":
        return False
    address = ADDRESS.search(f" {row}")
    return address is not None and len(row) - address.end() < LONGEST_VERB
