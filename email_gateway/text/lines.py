"""The lines of an email: finds those that may be orders, and says why others are not.

Every line gets a verdict here or later, so that an answer can mention it. As on the old server, a line that begins
with a mark is not an order, two dashes begin a signature, and nothing after END counts (FM-ORDGEN-8).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from email_gateway.text.quotes import (
    CLEAR_ORDER,
    LABEL,
    NOTHING,
    Printed,
    are_headers,
    find_changed,
    find_headers,
    find_quote,
    is_marker,
    read_words,
    strip_marks,
)

MOST_LINES = 1000
# Longer lines are cut, and rejected if they are orders.
LONGEST_LINE = 4000


class Unread(TextChoices):
    """Why a line is not read as an order."""

    QUOTED = "quoted", gettext_lazy("quoted from another email")
    SIGNATURE = "signature", gettext_lazy("a signature")
    MARKED = "marked", gettext_lazy("no order begins with this character")
    COMMENT = "comment", gettext_lazy("a comment")
    TOO_LATE = "too late", gettext_lazy("the email is too long")


QUOTED, SIGNATURE, MARKED, COMMENT, TOO_LATE = Unread

# A pair of gestures such as D/P or >/-, which may begin with a mark.
GESTURE_PAIR = re.compile(r"[FPSWDC>\-]\s*/\s*[FPSWDC>\-](?:[\s;]|$)", re.I)
# The marks that mail programs put into plain text for a list, or for bold text.
FORMATTED = re.compile(
    r"(?:[*+\u2022\u00b7\u2023\u25e6\u25aa\u25cf-]\s+|\d{1,2}[.)]\s+)?(?P<mark>\*{1,3}|_{1,3}|`|)(?P<row>.*\S)(?P=mark)"
)
# Those around a single hand or gesture, as in "*LH:* W"; but a speech stays as it was written.
FORMATTED_WORD = re.compile(
    r"(?<![\w*])(?P<mark>[*_]{1,3})(?P<word>(?:[LRB]H2?|left|right)(?:\s+hand)?\s?[:=]?|[FPSWDC>\-])(?P=mark)(?![\w*])",
    re.I,
)
# What mail programs make of -> between a hand and a gesture; the last two are arrows in a font of symbols.
ARROW = re.compile(
    r"(?<!\w)(?P<hand>[LR]H2?|(?:left|right)(?:\s+hand)?)\s*[\u2192\u21d2\u00e0\uf0e0]\s*(?=[FPSWDC>\-](?!\w))", re.I
)
SPEECH = re.compile(r"\W*say\b", re.I)
SIGNATURE_START = re.compile(r"--(?:\s*$|\s|\w)|__")
FOOTER = re.compile(
    r"(sent|diverted) from (my|mail|outlook|yahoo|proton|samsung)|sent via |get outlook for |envoyé (de|depuis) mon|"
    r"(von|gesendet von) mein|enviado (desde|do) m|inviato (da|dal) m|verzonden (met|vanaf) mijn|skickat från min",
    re.I,
)
# The footers of phones and apps in other words: what sent the email, and "sent" or "get" in many languages.
SENDING = re.compile(
    r"(?<!\w)(?:sent|get|gesendet|gesandt|verschickt|hol(?:en)?|envoyé|télécharge[rz]|inviat[oa]|scarica|enviad[oa]|obtener|"
    r"obtenha|verzonden|verstuurd|download|skickat|hämta|sendt|hent|lähetetty|hanki|wysłan[eo]|pobierz|odesláno|odoslané|"
    r"elküldve|trimis|poslano|изпратено|отправлено|надіслано|στάλθηκε|gönderildi|gửi từ|dikirim|נשלח)(?!\w)|"
    r"送信|发自|發自|发送|傳送|보냄|نشر|أُرسلت",
    re.I,
)
SENDER_NAMED = re.compile(
    r"iphone|ipad|android|galaxy|samsung|huawei|xiaomi|pixel|blackberry|windows|outlook|proton|yahoo|gmx|web\.de|k-9|"
    r"thunderbird|icloud|aol|mail\.ru|yandex|libero|fastmail|tuta|zoho|\bmail\b|\bios\b",
    re.I,
)
LONGEST_FOOTER = 90
ATTRIBUTION = re.compile(
    r"(on|am|le|el|il|op|den|em)\b.{4,300}"
    r"\b(wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\b.{0,80}:$",
    re.I,
)
ADDRESS = re.compile(r"[<(\[ ][^\s@<>()\[\]]{1,64}@[^\s@<>()\[\]]{1,100}")
WRITES = re.compile(r"(?!say\b).{2,80} writes:$", re.I)
LONGEST_ATTRIBUTION = 300
LONGEST_VERB = 60
ROWS_OF_INTRODUCTION = 4
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

    @property
    def is_too_long(self) -> bool:
        return len(self.text) > LONGEST_LINE


def split_lines(text: str, printed: Printed = NOTHING) -> list[Line]:
    """Number the lines of an email and mark those that are not orders. `printed` is the text that it may quote."""
    rows = [remove_format(UNSEEN_MARKS.sub("", row).strip()) for row in text.split("\n")]
    lines: list[Line] = []
    for number, (row, verdict) in enumerate(judge_mail(rows, printed), start=1):
        if number > MOST_LINES and row:
            lines.append(Line(number, row[:40], TOO_LATE))
            break
        # One character more than is read shows that the line is too long.
        lines.append(Line(number, row[: LONGEST_LINE + 1], None if not row else verdict))
    return lines


def remove_format(row: str) -> str:
    """Return an order without the marks of a list or of bold text around it, its hands and gestures, and with = for an
    arrow; any other row as it is."""
    plain = row if SPEECH.match(row) else ARROW.sub(r"\g<hand> = ", FORMATTED_WORD.sub(r"\g<word>", row))
    found = FORMATTED.fullmatch(plain)
    return found["row"] if found and CLEAR_ORDER.match(found["row"].translate(TYPOGRAPHY)) else row


def judge_mail(rows: list[str], printed: Printed) -> list[tuple[str, Unread | None]]:
    """Return each row (without quoting marks if its writer changed it), and why it is not an order, or None."""
    start = find_quote(rows[:MOST_LINES], printed)
    above, below = (rows, []) if start is None else (rows[:start], rows[start:])
    judged = list(zip(above, judge_rows(above, printed.names), strict=True))
    if below:
        judged[find_introduction(above, printed.names) :] = []
        judged += [(row, QUOTED) for row in above[len(judged) :]]
    return judged + judge_quote(below, printed)


def find_introduction(rows: list[str], names: Sequence[str]) -> int:
    """Return where the last rows above a quote begin to say who wrote it, in several broken lines."""
    end = len(rows)
    while end and not rows[end - 1]:
        end -= 1
    start = end
    while start and rows[start - 1] and end - start < ROWS_OF_INTRODUCTION:
        start -= 1
    last = " ".join(rows[start:end])
    if any(CLEAR_ORDER.match(row) for row in rows[start:end]):
        return len(rows)
    return start if names_writer(last) or names_us(last, names) else len(rows)


def judge_quote(rows: list[str], printed: Printed) -> list[tuple[str, Unread | None]]:
    """Judge the rows from our marker on. Rows where we printed them are not orders; rows that the writer changed or
    inserted may be.

    If quoted rows have marks, those without are the writer's own, except for the ends of broken lines. Rows with more
    marks than ours, and those from a second quoted email on, were written earlier.
    """
    stripped = [(remove_format(text), depth) for text, depth in map(strip_marks, rows[:MOST_LINES])]
    bare = [text.translate(TYPOGRAPHY) for text, _ in stripped]
    depth = stripped[0][1] if stripped else 0
    changed = find_changed(bare, [marks > 0 for _, marks in stripped], printed)
    older = find_older(bare, changed, printed)
    own = judge_rows(rows, printed.names) if depth else iter(())
    judged: list[tuple[str, Unread | None]] = []
    for place, row in enumerate(rows):
        verdict = next(own, None)
        if place >= len(stripped):
            judged.append((row, QUOTED))
            continue
        text, marks = stripped[place]
        if depth and not marks:
            is_own = place in changed or not printed.texts
            judged.append((row, verdict if is_own else QUOTED))
        else:
            is_own = place in changed and marks <= depth and place < older
            judged.append((text, judge_row(text)) if is_own else (row, QUOTED))
    return judged


def find_older(rows: list[str], changed: set[int], printed: Printed) -> int:
    """Return where a second quoted email begins below ours: at another marker, or at headers or an attribution that we
    did not print."""
    for place, row in enumerate(rows):
        if place > 1 and is_marker(read_words(row)):
            return place
        if place in changed and find_attribution(rows, place, printed.names):
            return place
        if place in changed and LABEL.match(row) and are_headers(rows[place:], printed.names):
            return place
    return len(rows)


def judge_rows(rows: list[str], names: Sequence[str] = ()) -> Iterator[Unread | None]:
    """Yield for each row why it is not an order, or None. `names` are the senders' names of our own emails."""
    rest: Unread | None = None
    headers = find_headers(rows[:MOST_LINES], names)
    for place, row in enumerate(rows):
        if rest is None and place == headers:
            rest = QUOTED
        attribution = find_attribution(rows, place, names)
        if rest is None:
            rest = find_end(rows, place, attribution)
            # Some mail programs draw a line above the headers of a quote.
            if rest is SIGNATURE and headers is not None and place < headers and not any(rows[place + 1 : headers]):
                rest = QUOTED
        if rest is not None:
            yield rest
        elif attribution or (place and find_attribution(rows, place - 1, names) == "two rows"):
            yield QUOTED
        elif is_footer(row):
            yield SIGNATURE
        elif row.casefold() in names:  # as Notes does, above a quote without marks
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


def is_footer(row: str) -> bool:
    """Return whether a row says in some language that a phone or an app sent the email. A sentence may, too, so this
    does not end what is read."""
    if len(row) > LONGEST_FOOTER or CLEAR_ORDER.match(row) or row[:4].lower() == "say ":
        return False
    return bool(SENDING.search(row) and SENDER_NAMED.search(row))


def find_attribution(rows: list[str], place: int, names: Sequence[str] = ()) -> str | None:
    """Return whether these rows attribute the quotation below: "one row", "two rows" (a broken line) or None."""
    row = rows[place]
    if ATTRIBUTION.match(row) or WRITES.match(row) or names_writer(row) or names_us(row, names):
        return "one row"
    if place + 1 == len(rows) or not 0 < len(row) < 200 or row.endswith(":"):
        return None
    return "two rows" if ATTRIBUTION.match(f"{row} {rows[place + 1]}") else None


def names_writer(row: str) -> bool:
    """Return whether a row says in some language who wrote what follows: it has an address and ends in a colon."""
    if not row.endswith((":", "：")) or not 5 < len(row) < LONGEST_ATTRIBUTION or row[:4].lower() == "say ":
        return False
    address = ADDRESS.search(f" {row}")
    return address is not None and len(row) - address.end() < LONGEST_VERB


def names_us(row: str, names: Sequence[str]) -> bool:
    """Return whether a row says in some language that we wrote what follows: "Firetop Mountain wrote:"."""
    if not row.endswith((":", "：")) or len(row) >= LONGEST_ATTRIBUTION or CLEAR_ORDER.match(row):
        return False
    return row[:4].lower() != "say " and any(name in row.casefold() for name in names)
