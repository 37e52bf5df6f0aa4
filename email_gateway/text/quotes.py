"""Finds the part of a reply that quotes one of our emails, and the quoted lines that its writer changed.

Mail programs introduce a quote in hundreds of ways and many languages, so we look for our own words: one marker line
at the top of every email we send, and the text that we printed below it. A line that we printed is never an order,
however it is quoted or wrapped. A line below the marker that we did not print is the writer's.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

# At the top of every email we send, in its text and its HTML part (mail_base.html): the same in every language.
MARKER = "=== Reply above this line ==="
MARKER_WORDS = " reply above this line "
LONGEST_MARKER_ROW = 100
# Our emails' text around the offered lines, in case a mail program has removed the marker.
OWN_TEXTS = (
    gettext_noop(
        "Reply to this email with your orders, or send them with a USER line.\nReplace the question marks with your "
        "gestures:"
    ),
    gettext_noop("Reply to this email with your orders:"),
    gettext_noop("Reply to this email with one of these lines:"),
)
# This many words in a row of what we printed are no coincidence, nor an order that a person copied.
RECOGNISABLE = 7
# A mark before a slash is a stab: ">/D", and "> >/D" in a quote.
MARKS = re.compile(r"(?:[>|](?!\s*/)\s?)*")
DECORATION = re.compile(r"<[^<>]*(?:@|:/)[^<>]*>|\[[^\[\]]*\]|https?://\S+")
WORD = re.compile(r"\w+|[?>/\-]")
LABEL = re.compile(r"\W{0,3}(?P<label>[^\W\d_][^\n:：@]{0,24}?)\W?\s?[:：]\W?(?:\s|$)\s*(?P<value>.*)")
MOMENT = re.compile(r"\b(?:19|20|25)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d\s?[年월日]")
ROWS_OF_HEADERS = 8
# The start of a turn's block of orders in our emails: it says whose changed lines follow.
HEADS = ("game", "move", "mage", "turn")
LONGEST_HEAD = 3


@dataclass(frozen=True)
class Printed:
    """The texts of the emails that a reply may quote, and the name and domain they are sent under."""

    texts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @cached_property
    def words(self) -> str:
        return f" {' | '.join(read_words(text) for text in self.texts)} "

    @cached_property
    def lines(self) -> list[str]:
        return [words for text in self.texts for row in text.split("\n") if (words := read_words(row))]

    def holds(self, words: str) -> bool:
        """Return whether we printed these words in this order."""
        return f" {words} " in self.words


NOTHING = Printed()


def read_words(text: str) -> str:
    """Return the words and gesture marks of a text separated by one space, ignoring case and layout."""
    return " ".join(WORD.findall(DECORATION.sub(" ", text).casefold()))


def strip_marks(row: str) -> tuple[str, bool]:
    """Return a row without its marks of quoting, and whether it had any."""
    row = row.strip()
    marks = MARKS.match(row)
    end = marks.end() if marks else 0
    return row[end:].strip(), end > 0


def find_quote(rows: Sequence[str], printed: Printed) -> int | None:
    """Return the first row that is quoted from one of our emails, judging by our own words, or None."""
    words = [read_words(strip_marks(row)[0]) for row in rows]
    for place, row in enumerate(words):
        below = words[place + 1] if place + 1 < len(words) else ""
        if is_marker(row) or (row and below and not is_marker(below) and is_marker(f"{row} {below}")):
            return place
        if any(own in f" {row} " for own in list_own_words()):
            return place
        if row.count(" ") >= RECOGNISABLE - 1 and printed.holds(row):
            return place
    return None


@cache
def list_own_words() -> frozenset[str]:
    """Return the words of the lines around the order lines of our emails, in all our languages."""
    own_words = set()
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            rows = [row for text in OWN_TEXTS for row in gettext(text).split("\n")]
        own_words |= {f" {read_words(row.partition('(')[0])} " for row in rows}
    return frozenset(own_words)


def is_marker(words: str) -> bool:
    return len(words) < LONGEST_MARKER_ROW and MARKER_WORDS in f" {words} "


def find_headers(rows: Sequence[str], names: Iterable[str]) -> int | None:
    """Return where a block of email headers begins, in any language (From, Sent, To, Subject)."""
    for place in range(len(rows)):
        if LABEL.match(rows[place]) and are_headers(rows[place:], names):
            return place
    return None


def are_headers(rows: Sequence[str], names: Iterable[str]) -> bool:
    """Return whether rows begin with headers: the sender's address or our name, then a date below it; or, with neither,
    four labels in a row."""
    values: list[str] = []
    in_sequence = 0
    for place, row in enumerate(rows[: 2 * ROWS_OF_HEADERS]):
        header = LABEL.match(row)
        if header is None and row:
            break
        if header is not None:
            values.append(header["value"])
            in_sequence += place + 1 == len(values)
    if not any(MOMENT.search(value) for value in values[:ROWS_OF_HEADERS]):
        return False
    addressed = "@" in values[0] or any(name in values[0].casefold() for name in names)
    return in_sequence >= 4 or (addressed and len(values) > 1)


def find_changed(rows: Sequence[str], printed: Printed) -> set[int]:
    """Return the rows of a quote that, without their marks, are not as we printed them.

    Without a copy of our email no row counts as changed. The first lines of a block of orders count if a line below
    them is changed.
    """
    if not printed.texts:
        return set()
    words = [read_words(row) for row in rows]
    filled = find_filled(words, printed)
    changed = {
        place
        for place, row in enumerate(words)
        if row and not is_marker(row) and (place in filled or not printed.holds(row))
    }
    return changed | find_heads(words, changed)


def find_filled(words: Sequence[str], printed: Printed) -> set[int]:
    """Return the rows in the place of a line that we printed with a mark to be replaced, and that differ from it.

    Their words may also be elsewhere in the email, as the last turn's orders are.
    """
    open_lines = {line for line in printed.lines if line.endswith(" ?") and line.count(" ") < 4}
    if not open_lines:
        return set()
    filled = set()
    places = [place for place, row in enumerate(words) if row]
    mine = [words[place] for place in places]
    for text in printed.texts:
        lines = [line for row in text.split("\n") if (line := read_words(row))]
        if not open_lines.intersection(lines):
            continue
        for kind, start, end, first, last in SequenceMatcher(None, lines, mine, autojunk=False).get_opcodes():
            if kind != "replace":
                continue
            keys = {line.split(" ")[0] for line in lines[start:end] if line in open_lines}
            filled |= {
                places[at] for at in range(first, last) if mine[at].split(" ")[0] in keys and mine[at] not in open_lines
            }
    return filled


def find_heads(words: Sequence[str], changed: set[int]) -> set[int]:
    """Return the rows that name the mage of the changed rows below them, directly above in the same block. A block
    begins with the line that names its mage; webmail has no blank line before that."""
    heads: set[int] = set()
    for place in changed:
        above = place - 1
        while above >= 0 and words[above]:
            head = words[above].split(" ")
            if head[0] in HEADS and len(head) <= LONGEST_HEAD:
                heads.add(above)
                if head[0] != "turn":
                    break
            above -= 1
    return heads
