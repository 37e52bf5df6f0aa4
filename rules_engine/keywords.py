"""The words that orders begin with, and the nearest of them to a misspelt word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache

from rules_engine.gestures import GESTURES, LEFT, NOTHING, RIGHT, SECOND, STAB
from rules_engine.glossary import list_gesture_names, list_hand_names
from rules_engine.orders import BY_CLOCK, VERBS

# A typing error must never suggest SUICIDE.
KEYWORDS = [*(verb for verb in VERBS if verb not in (*BY_CLOCK, "SUICIDE")), "CLEAR", "END"]
# CLEAR deletes orders, so only a word that can hardly mean anything else suggests it: "FEAR" and "CLAP" don't.
LIKE_CLEAR = 0.8
LIKE_HAND = 0.75
# "deiner linken Hand".
LONGEST_HAND = 4
# No orders: a surrender is a pair of gestures.
SURRENDERS = ("SURRENDER", "RESIGN", "CONCEDE")
HAND_NAMES = {"LH": "LH", "LEFT": "LH", "RH": "RH", "RIGHT": "RH", "BH": "BH", "BOTH": "BH"}
SECOND_NAMES = {f"{name}2": SECOND[hand] for name, hand in HAND_NAMES.items()}

# Words for gestures that don't begin with the gesture's letter.
GESTURE_WORDS = {
    **dict.fromkeys(("STAB", "STABBING", "STABBED", "KNIFE", "DAGGER", "THRUST"), STAB),
    **dict.fromkeys(
        ("NOTHING", "NONE", "NIL", "NO", "NULL", "NOP", "PASS", "BLANK", "EMPTY", "STILL", "HALF"), NOTHING
    ),
    **dict.fromkeys(("POINT", "POINTING", "INDEX"), "D"),
    **dict.fromkeys(("WIGGLE", "WIGGLED", "WIGGLING"), "F"),
    **dict.fromkeys(("PROFFERED", "HAND"), "P"),
    **dict.fromkeys(("CLICK",), "S"),
}

# Letters of other alphabets and other marks that look like gestures.
LOOKALIKES = str.maketrans(
    {
        "\u0421": "C",
        "\u0441": "C",
        "\u0420": "P",
        "\u0440": "P",
        "\u0405": "S",
        "\u0455": "S",
        "\u03a1": "P",
        "\u03f9": "C",
    }
    | dict.fromkeys("\u2192\u00bb\u203a\u276f\u25b6\u21d2", ">")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2043\u2212\u30fc\ufe63", "-")
)
# Invisible marks, which come with a text that was copied.
_UNSEEN = ((0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2060), (0x2066, 0x2069), (0xFEFF, 0xFEFF))
# What keyboards and programs write for plain letters, dashes and spaces.
_TYPOGRAPHY = str.maketrans(
    {**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63", "-"), "\u203a": ">", "\u3000": " "}
    # Full-width forms of plain letters and marks, from East Asian keyboards.
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys(chr(code) for first, last in _UNSEEN for code in range(first, last + 1))
)
_SIGNS = ":=,!"
_TWO_GESTURES = re.compile(r"([FPSWDC>\-])[^\w\s]?([FPSWDC>\-])[.,!]?", re.IGNORECASE)


def write_plainly(line: str) -> str:
    """Return a line of orders in plain letters, dashes and spaces."""
    return line.translate(_TYPOGRAPHY)


def nearest_keyword(words: Sequence[str]) -> str | None:
    """Return the order that the first of these words most resembles, if any: also for two gestures in one word, and,
    before a gesture, for a few letters that may mean a hand."""
    verb = words[0].upper().rstrip(":,")
    if pair := read_pair(verb):
        return pair
    near = get_close_matches(verb, [*KEYWORDS, "LEFT", "RIGHT"], n=1, cutoff=0.6)
    if near == ["CLEAR"] and not get_close_matches(verb, near, cutoff=LIKE_CLEAR):
        near = []
    if near:
        return HAND_NAMES.get(near[0], near[0])
    is_gesture = len(words) == 2 and words[1].upper() in GESTURES and len(verb) < 4
    return next((hand for hand in (LEFT, RIGHT) if is_gesture and hand[0] in verb), None)


def read_pair(word: str) -> str | None:
    """Return two gestures in one word as they are ordered."""
    pair = _TWO_GESTURES.fullmatch(word.upper())
    return f"{pair[1]}/{pair[2]}" if pair else None


def nearest_gesture(written: str) -> str:
    """Return the gesture that a word most resembles: what it looks like ("С" in Cyrillic, "»"), what it names in any
    language ("stab", "nichts"), or the letter that it begins with ("wav"), or else one that every mage may play."""
    seen = written.upper().translate(LOOKALIKES)
    if seen in ("&GT", "&GT;"):  # a mark as HTML writes it
        return STAB
    bare = re.sub(r"\W", "", seen)
    if bare in GESTURE_WORDS:
        return GESTURE_WORDS[bare]
    named = next((gesture for gesture in GESTURES if bare in list_gesture_names(gesture)), None)
    if named is not None:
        return named
    if bare.isalpha():
        return bare[0] if bare[0] in GESTURES else "W"
    marks = {*seen.strip("\"'.,\u201c\u201d\u2018\u2019()*")}  # "--"
    return next((mark for mark in (STAB, NOTHING) if marks == {mark}), "W")


def read_story_gestures(line: str) -> str | None:
    """Return the order for hands and gestures that a line names as a story does, in any language, or nearly so: "LINKS
    W", "Linke Hand: Winken". After a colon, a gesture's letter is enough: "Linke Hand: Welle". None for any other
    line."""
    words = [word for word in line.split() if word.strip(_SIGNS)]
    orders = []
    while words:
        bare = [word.strip(_SIGNS) for word in words]
        most = min(len(words) - 1, LONGEST_HAND)
        count = next((count for count in range(most, 0, -1) if _name_hand(bare[:count])), 0)
        if not count:
            return None
        gesture = _name_gesture(bare[count])
        if gesture is None and words[count - 1].endswith((":", "=")) and bare[count][0].upper() in GESTURES:
            gesture = nearest_gesture(bare[count])
        if gesture is None:
            return None
        orders.append(f"{_name_hand(bare[:count])} {gesture}")
        words = words[count + 1 :]
    return " ".join(orders) or None


def _name_hand(words: Sequence[str]) -> str | None:
    phrase = " ".join(words).lower()
    if len(words) > 1:
        return next((hand for hand in (LEFT, RIGHT) if phrase in list_hand_names(hand)), None)
    near = get_close_matches(phrase, _list_hand_words(), n=1, cutoff=LIKE_HAND)
    return _list_hand_words()[near[0]] if near else None


@cache
def _list_hand_words() -> dict[str, str]:
    """Return the words that are in the names of one hand and not of the other, in every language."""
    words = {hand: {word for name in list_hand_names(hand) for word in name.split()} for hand in (LEFT, RIGHT)}
    both = words[LEFT] & words[RIGHT]
    return {word: hand for hand, mine in words.items() for word in mine - both}


def _name_gesture(word: str) -> str | None:
    seen = word.upper()
    if seen in GESTURES:
        return seen
    bare = seen.strip(".")
    named = next((gesture for gesture in GESTURES if bare in list_gesture_names(gesture)), None)
    return named or (GESTURE_WORDS.get(bare) if bare != "HAND" else None)


def put_in_place(line: str, written: str, better: str) -> str:
    """Return the line with a word, or its last words joined, replaced."""
    words = line.split()
    for place in range(len(words)):
        if "".join(words[place:]) == written:
            return " ".join([*words[:place], better])
    return " ".join(better if word == written else word for word in words)
