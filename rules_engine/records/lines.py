"""Which lines of orders may stand in a record: the canonical ones of the order grammar (docs/orders.md)."""

from __future__ import annotations

import re

from rules_engine.gestures import GESTURES

_G = "[" + re.escape("".join(GESTURES)) + "]"
_CANONICAL = re.compile(
    rf"(?:LH|RH) {_G}"
    r"|CHOOSE (?:LH|RH|BH) \S.*"
    r"|TARGET \S+ \S+"
    r"|PARALYZE (?:LH|RH) \S+"
    rf"|DIRECT (?:LH|RH) {_G} \S+"
    r"|(?:PERMANENT|DELAY) (?:LH|RH|BH)"
    r"|FIRE"
    r"|SAY \S.*"
)


def is_word(text: str) -> bool:
    """Whether this may stand as a name: printable, not empty, no blank in it."""
    return text.isprintable() and text.split() == [text]


def is_canonical(line: str) -> bool:
    """Whether a line is an order as `Sheet.lines` writes it: one line, no blanks at its ends."""
    return line.isprintable() and line == line.strip() and _CANONICAL.fullmatch(line) is not None
