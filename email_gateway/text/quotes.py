"""Finds the part of a reply that quotes one of our emails, and the quoted lines that its writer changed.

Mail programs introduce a quote in hundreds of ways and many languages, so we look for our own words: one marker line
at the top of every email we send, and the text that we printed below it. A line that we printed is never an order,
however it is quoted or wrapped. A line below the marker that we did not print is the writer's.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property, partial
from itertools import accumulate, pairwise
from operator import itemgetter

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
ENDS_OF_SENTENCE = (".", "!", "?", "。")
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
# What orders begin with and sentences don't: a word in capitals, a hand, or two gestures.
CLEAR_ORDER = re.compile(r"[A-Z_]{3,}\b|(?i:[LR]H2?|left|right)\b|(?i:[FPSWDC>\-]\s*/\s*[FPSWDC>\-])(?:[\s;]|$)")
# A row with a gesture, and what may be below it in a sheet.
HAND_LINE = re.compile(r"[lr]h2? [fpswdc>\-]$")
SHEET_WORDS = ("target ", "retarget ", "choose ", "say ", "fire", "delay ", "permanent ", "direct ", "end")
# The most pairs of a line of ours and a row of a reply to compare, which takes a second.
MOST_COMPARED = 2_000_000


@dataclass(frozen=True)
class Printed:
    """The texts of the emails that a reply may quote, and the name and domain they are sent under."""

    texts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @cached_property
    def words(self) -> str:
        return f" {' | '.join(read_words(text) for text in self.texts)} "

    def holds(self, words: str) -> bool:
        """Return whether we printed these words in this order."""
        return f" {words} " in self.words


NOTHING = Printed()


def read_words(text: str) -> str:
    """Return the words and gesture marks of a text separated by one space, ignoring case and layout."""
    return " ".join(WORD.findall(DECORATION.sub(" ", text).casefold()))


def strip_marks(row: str) -> tuple[str, int]:
    """Return a row without its marks of quoting, and how many there were."""
    row = row.strip()
    marks = MARKS.match(row)
    found = marks[0] if marks else ""
    return row[len(found) :].strip(), found.count(">") + found.count("|")


def find_quote(rows: Sequence[str], printed: Printed) -> int | None:
    """Return the first row that is quoted from one of our emails, judging by our own words, or None."""
    words = [read_words(strip_marks(row)[0]) for row in rows]
    marker = next((place for place in range(len(words)) if begins_marker(words[place : place + 2])), None)
    if marker is not None:
        return find_preview(rows, words, marker, printed)
    own_words = list_own_words()
    for place, row in enumerate(words):
        if any(own in f" {row} " for own in own_words) or (is_long(row) and printed.holds(row)):
            return place
    return None


def begins_marker(words: Sequence[str]) -> bool:
    """Return whether the first of these rows is our marker, or the first half of a broken one."""
    row, below = words[0], words[1] if len(words) > 1 else ""
    return is_marker(row) or (bool(row and below) and not is_marker(below) and is_marker(f"{row} {below}"))


def find_preview(rows: Sequence[str], words: Sequence[str], start: int, printed: Printed) -> int:
    """Return where the quote really begins: our emails have a hidden sentence above the marker, for lists of emails,
    which some mail programs show in a reply."""
    above = start - 1
    while above >= 0:
        if words[above] and not (rows[above].endswith(ENDS_OF_SENTENCE) and printed.holds(words[above])):
            break
        start = above if words[above] else start
        above -= 1
    return start


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


def find_changed(rows: Sequence[str], marked: Sequence[bool], printed: Printed) -> set[int]:
    """Return the rows of a quote that, without their marks, are not where our email printed them.

    `marked` says which rows have marks of quoting. If the first has one, those without are the writer's own, except for
    the ends of broken lines. Without a copy of our email no row counts as changed. The first lines of a block of orders
    count if a line below them is changed.
    """
    words = [read_words(row) for row in rows]
    text = choose_text(words, printed.texts)
    if text is None:
        return set()
    own = {place for place, mark in enumerate(marked) if not mark} if marked and marked[0] else set()
    unchanged = find_unchanged(rows, words, text, own)
    changed = {place for place, row in enumerate(words) if row and not is_marker(row) and place not in unchanged}
    return changed | find_heads(words, changed)


def choose_text(words: Sequence[str], texts: Sequence[str]) -> str | None:
    """Return the text that has most of these rows, the first of several; None if there is no text."""
    return max(texts, key=partial(count_words, words), default=None)


def count_words(words: Sequence[str], text: str) -> int:
    """Return how many words the rows have that are in a text: whole lines of it, or many words in a row."""
    lines, whole = set(list_lines(text)), f" {read_words(text)} "
    return sum(row.count(" ") + 1 for row in words if row in lines or (is_long(row) and f" {row} " in whole))


def find_quoted_email(rows: Sequence[str], emails: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the texts of the email from which most of these rows are quoted, the first of several; empty if no email
    has at least half of the words below our marker."""
    start = find_quote(rows, NOTHING)
    words = [read_words(strip_marks(row)[0]) for row in rows[start:]] if start is not None else []
    second = next((place for place in range(2, len(words)) if is_marker(words[place])), len(words))
    words = [row for row in words[:second] if row and not is_marker(row)]
    counts = ((max((count_words(words, text) for text in texts), default=0), tuple(texts)) for texts in emails)
    found, best = max(counts, key=itemgetter(0), default=(0, ()))
    return best if found and 2 * found >= sum(row.count(" ") + 1 for row in words) else ()


def list_lines(text: str) -> list[str]:
    """Return the words of each line of one of our emails, without blank lines and the marker."""
    return [words for row in text.split("\n") if (words := read_words(row)) and not is_marker(words)]


def find_unchanged(rows: Sequence[str], words: Sequence[str], text: str, own: set[int]) -> set[int]:
    """Return the rows that are in the same order as in our email, whole or wrapped in another way. `own` are rows
    that can only be the ends of broken lines.

    Position decides: a pair of gestures in the place of the question marks is the writer's, although our email repeats
    the same words of an earlier one elsewhere.
    """
    lines = list_lines(text)
    places = [place for place, row in enumerate(words) if row and not is_marker(row)]
    whole = [place for place in places if place not in own]
    pairs = drop_lone_gestures(
        [(line, whole[at]) for line, at in align(lines, [words[place] for place in whole])], words
    )
    unchanged = {place for _, place in pairs}
    edges = [(-1, -1), *pairs, (len(lines), len(rows))]
    for (line, place), (next_line, next_place) in pairwise(edges):
        between = [one for one in places if place < one < next_place]
        unchanged |= find_wrapped(lines[line + 1 : next_line], between, words, own)
    printed = f" {read_words(text)} "
    return unchanged | {
        place
        for place in whole
        if is_long(words[place]) and not CLEAR_ORDER.match(rows[place]) and f" {words[place]} " in printed
    }


def align(lines: Sequence[str], rows: Sequence[str]) -> list[tuple[int, int]]:
    """Return which rows are which lines, in order: as many as possible, and those with orders of a sheet count less, as
    our emails repeat them."""
    common = {*lines} & {*rows}
    left = [place for place, line in enumerate(lines) if line in common]
    right = [place for place, row in enumerate(rows) if row in common]
    if len(left) * len(right) > MOST_COMPARED:
        blocks = SequenceMatcher(None, lines, rows, autojunk=False).get_matching_blocks()
        return [(one.a + step, one.b + step) for one in blocks for step in range(one.size)]
    weights = {line: 1 if HAND_LINE.match(line) or line.startswith("target ") else 3 for line in common}
    # best[i][j]: the weight of what the lines from i and the rows from j have in common.
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        line, here, below = lines[left[i]], best[i], best[i + 1]
        for j in range(len(right) - 1, -1, -1):
            if line == rows[right[j]]:
                here[j] = max(below[j + 1] + weights[line], below[j], here[j + 1])
            else:
                here[j] = below[j] if below[j] > here[j + 1] else here[j + 1]
    pairs, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        line = lines[left[i]]
        if line == rows[right[j]] and best[i][j] == best[i + 1][j + 1] + weights[line]:
            pairs.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def drop_lone_gestures(pairs: list[tuple[int, int]], words: Sequence[str]) -> list[tuple[int, int]]:
    """Leave out rows with gestures if nothing beside them in our email is beside them here: our emails offer question
    marks, and repeat gestures only among other text."""
    kept: list[tuple[int, int]] = []
    block: list[tuple[int, int]] = []
    for pair in [*pairs, (-1, -1)]:
        if block and pair[0] != block[-1][0] + 1:
            is_lone = any(HAND_LINE.match(words[place]) for _, place in block) and all(
                HAND_LINE.match(words[place]) or words[place].startswith(SHEET_WORDS) for _, place in block
            )
            kept += [] if is_lone else block
            block = []
        block.append(pair)
    return kept


def find_wrapped(lines: Sequence[str], places: Sequence[int], words: Sequence[str], own: set[int]) -> set[int]:
    """Return which of these rows together are whole lines of our email that were wrapped in another way."""
    printed = [word for line in lines for word in line.split(" ")]
    ends = set(accumulate(line.count(" ") + 1 for line in lines))
    found: set[int] = set()
    first, start = 0, 0
    while first < len(places):
        for begin in (0, *sorted(ends)):
            if begin < start or places[first] in own:
                continue
            end, at = begin, first
            while at < len(places):
                row = words[places[at]].split(" ")
                if printed[end : end + len(row)] != row:
                    break
                end, at = end + len(row), at + 1
                if end in ends:
                    break
            # A single row that is a single line would be at its place already, if it were there.
            if end in ends and (at > first + 1 or len(ends & {*range(begin + 1, end + 1)}) > 1):
                found.update(places[first:at])
                first, start = at - 1, end
                break
        first += 1
    return found


def is_long(words: str) -> bool:
    """Return whether so many words of ours in a row are no coincidence."""
    return words.count(" ") >= RECOGNISABLE - 1


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
