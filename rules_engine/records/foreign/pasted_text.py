"""Undoes what mail programs and browsers do to a battle when its text is copied: quotes, HTML, broken lines, and other
text around it. Every function keeps the number of lines, so that a problem has the line of the text that was pasted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from rules_engine.records.foreign.read_tables import TABLE_HEAD, is_row
from rules_engine.records.parse import KEYS
from rules_engine.records.reader import FATES
from rules_engine.records.record import FORMAT

LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029\x85\x0b\x0c]")
QUOTED = re.compile(r"^\s*(> ?)+")
TAG = re.compile(r"</?[a-z][a-z0-9]*\b[^<>\n]*>", re.I)
BREAKING = re.compile(r"<(?:br|/?(?:p|div|li|tr|h[1-6]|pre|table))\b[^<>\n]*>", re.I)
"""Tags that a browser shows as the end of a line."""
# Only blanks of its own line: with \s many empty lines would take quadratic time.
FENCE = re.compile(r"[^\S\n]*```\w*[^\S\n]*")
# Python refuses to read a number of thousands of digits; a character needs no more than seven.
LONG_NUMBER = re.compile(r"(&#\d{7})\d+")
TYPOGRAPHIC = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u202f", " "),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\0"),
        **dict.fromkeys("“”„", '"'),
    }
)


def split_as_pasted(text: str) -> str:
    """Return the text with one kind of line end."""
    return LINE_ENDS.sub("\n", text.removeprefix("\ufeff"))


def make_plain(text: str) -> str:
    """Return the text without quote marks, HTML, typographic characters, and what is above and below a record."""
    text = "\n".join(_unquote(text.split("\n")))
    text = html.unescape(LONG_NUMBER.sub(r"\1", TAG.sub("", text))).translate(TYPOGRAPHIC)
    lines = text.split("\n")
    fences = [place for place, line in enumerate(lines) if FENCE.fullmatch(line)]
    for place in fences:
        lines[place] = ""
    first = next((place for place, line in enumerate(lines) if line.split() == ["record", str(FORMAT)]), None)
    if first is None:
        first = 0 if TABLE_HEAD in text else next((n for n, line in enumerate(lines) if line.startswith("{")), 0)
        end = len(lines)
    else:
        end = _find_end(lines, first, fences)
    return "\n".join(line if first <= place < end else "" for place, line in enumerate(lines))


def _unquote(lines: list[str]) -> list[str]:
    """Return the lines without quote marks if all of them are quoted, or if the battle is all of what is quoted."""
    quoted = [place for place, line in enumerate(lines) if line.lstrip().startswith(">")]
    if not quoted:
        return lines
    inner = lines[quoted[0] : quoted[-1] + 1]
    bare = [QUOTED.sub("", line) for line in inner]
    is_whole = all(line.lstrip().startswith(">") for line in inner if line.strip())
    begins = any(line.split() == ["record", str(FORMAT)] or line.startswith("{") or TABLE_HEAD in line for line in bare)
    outside = [line for line in (*lines[: quoted[0]], *lines[quoted[-1] + 1 :]) if line.strip()]
    if not is_whole or (outside and not begins):
        return lines
    return ["" for _line in lines[: quoted[0]]] + bare + ["" for _line in lines[quoted[-1] + 1 :]]


def _find_end(lines: Sequence[str], first: int, fences: Sequence[int]) -> int:
    """Return the line where the record from `first` on surely ends: at the end of its fence, at a signature, or at a
    paragraph below its outcome with no line of a record."""
    if any(place < first for place in fences):
        below = [place for place in fences if place > first]
        if below:
            return below[0]
    last = max((place for place in range(first, len(lines)) if _is_of_record(lines[place])), default=first)
    is_ended = False
    for place in range(first, len(lines)):
        words = lines[place].split()
        if not words and place + 1 < len(lines):
            if lines[place + 1].rstrip() == "--":
                return place
            if is_ended and place > last:
                return place
        is_ended = words[:1] == ["outcome"] or (is_ended and (not words or words[0] in FATES))
    return len(lines)


def _is_of_record(line: str) -> bool:
    key, _, rest = line.strip().partition(" ")
    return key in KEYS and re.fullmatch(KEYS[key][0], rest.strip()) is not None


def unwrap_table(text: str) -> str:
    """Return a SHOW table with the rows joined that a mail program broke: each has as many colons as the heading."""
    lines = text.split("\n")
    head = next((n for n, line in enumerate(lines) if line.lstrip().startswith("Turn:")), 0)
    rule = next((n for n, line in enumerate(lines) if n > head and _is_rule(line)), 0)
    above = next((n for n in range(head - 1, -1, -1) if not lines[n].strip() or _is_rule(lines[n])), -1) + 1
    if not head or not rule:
        return text
    colons = " ".join(lines[head:rule]).count(":")
    out = lines[:above]
    out += _join(lines[above:head]) + _join(lines[head:rule])
    return "\n".join([*out, *_join_rows(lines[rule:], colons)])


def _is_rule(line: str) -> bool:
    return bool(line.strip()) and set(line.strip()) == {"-"}


def _join(lines: list[str]) -> list[str]:
    """Return one line, and empty ones for the others."""
    return [" ".join([lines[0].rstrip(), *(line.strip() for line in lines[1:])]), *("" for _line in lines[1:])]


def _join_rows(lines: list[str], colons: int) -> Iterator[str]:
    waiting, found = list[str](), 0
    for line in lines:
        if waiting and is_row(line):
            yield from waiting  # the row above it was not complete
            waiting = []
        if waiting or (is_row(line) and line.count(":") < colons):
            found = line.count(":") + (found if waiting else 0)
            waiting.append(line)
            if found >= colons:
                yield from _join(waiting)
                waiting = []
        else:
            yield line
    yield from waiting
