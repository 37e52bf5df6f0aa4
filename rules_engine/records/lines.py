"""The lines of orders that a record may contain: the canonical ones of the order grammar (docs/orders.md)."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.gestures import FIRST, GESTURES, HANDS, SELECTORS
from rules_engine.orders import VERBS, Sheet

ANY_HANDS = (*SELECTORS, *FIRST)


def is_word(text: str) -> bool:
    """Return whether this can be a name: printable, not empty, without spaces."""
    return text.isprintable() and text.split() == [text]


def is_canonical(line: str) -> bool:
    """Return whether a line is an order as `Sheet.lines` writes it: one line, no spaces at either end, nothing
    malformed."""
    if not line.isprintable() or line != line.strip():
        return False
    try:
        sheet = Sheet.from_lines([line])
    except (KeyError, ValueError):
        return False
    (slot, value), *_ = sheet
    verb, _, subject = slot.partition(" ")
    check = _CHECKS.get(verb)
    return verb in VERBS and sheet.lines() == [line] and (check is None or check(subject, value))


def _is_hand_and_gesture(value: str) -> bool:
    hand, _, gesture = value.partition(" ")
    return hand in HANDS and gesture in GESTURES


# The forms of a slot's subject and value, beyond the sheet's own checks.
_CHECKS: dict[str, Callable[[str, str], bool]] = {
    "LH": lambda subject, value: not subject and value in GESTURES,
    "RH": lambda subject, value: not subject and value in GESTURES,
    "LH2": lambda subject, value: not subject and value in GESTURES,
    "RH2": lambda subject, value: not subject and value in GESTURES,
    "CHOOSE": lambda subject, value: subject in ANY_HANDS,
    "RETARGET": lambda subject, value: is_word(subject) and is_word(value),
    "TARGET": lambda subject, value: is_word(subject) and is_word(value),
    "PARALYZE": lambda subject, value: is_word(subject) and value in HANDS,
    "DIRECT": lambda subject, value: is_word(subject) and _is_hand_and_gesture(value),
    "PERMANENT": lambda subject, value: not subject and value in ANY_HANDS,
    "DELAY": lambda subject, value: not subject and value in ANY_HANDS,
}
