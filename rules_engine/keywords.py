"""The words that orders begin with, and the nearest of them to a misspelt word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from rules_engine.gestures import GESTURES, LEFT, RIGHT, SECOND
from rules_engine.orders import VERBS

# Only the clock gives FORFEIT, and a typing error must never suggest SUICIDE.
KEYWORDS = [*(verb for verb in VERBS if verb not in ("FORFEIT", "SUICIDE")), "CLEAR", "END"]
# No orders: a surrender is a pair of gestures.
SURRENDERS = ("SURRENDER", "RESIGN", "CONCEDE")
HAND_NAMES = {"LH": "LH", "LEFT": "LH", "RH": "RH", "RIGHT": "RH", "BH": "BH", "BOTH": "BH"}
SECOND_NAMES = {f"{name}2": SECOND[hand] for name, hand in HAND_NAMES.items()}

_TWO_GESTURES = re.compile(r"([FPSWDC>\-])[^\w\s]?([FPSWDC>\-])", re.IGNORECASE)


def nearest_keyword(words: Sequence[str]) -> str | None:
    """Return the order that the first of these words most resembles, if any: also for two gestures in one word, and,
    before a gesture, for a few letters that may mean a hand."""
    verb = words[0].upper().rstrip(":,")
    pair = _TWO_GESTURES.fullmatch(verb)
    if pair:
        return f"{pair[1]}/{pair[2]}"
    near = get_close_matches(verb, [*KEYWORDS, "LEFT", "RIGHT"], n=1, cutoff=0.6)
    if near:
        return HAND_NAMES.get(near[0], near[0])
    is_gesture = len(words) == 2 and words[1].upper() in GESTURES and len(verb) < 4
    return next((hand for hand in (LEFT, RIGHT) if is_gesture and hand[0] in verb), None)


def put_in_place(line: str, written: str, better: str) -> str:
    """Return the line with a word, or its last words joined, replaced."""
    words = line.split()
    for place in range(len(words)):
        if "".join(words[place:]) == written:
            return " ".join([*words[:place], better])
    return " ".join(better if word == written else word for word in words)
