"""The forms that a line of orders can have, right or nearly right."""

import re

from duels.selectors.order_words import names_gestures
from email_gateway.commands.order_entry import Order
from email_gateway.commands.table import BY_NAME, TABLE
from email_gateway.commands.words import find_nearest
from email_gateway.text.lines import GESTURE_PAIR, TYPOGRAPHY

# "W/P", "left W, right P", a lone C for a clap with both hands; and short lines that name a gesture, misspelt or not.
SHORTHAND = re.compile(
    r"(?:[FPSWDC>\-]\s*/\s*[FPSWDC>\-](?:[\s;]|$)|(?:left|right)(?:\s+hand)?\s*[\s:=]\s*[FPSWDC>\-](?!\w)|C\s*(?:;|$))",
    re.I,
)
ALMOST_GESTURE = re.compile(r"\w{1,10}\s+[FPSWDC>\-]$", re.I)
# These are not orders, but the rules engine says what to send instead.
SURRENDER = re.compile(r"(?:surrender|resign|concede)$", re.I)
# "W\P", "W, P", "W/P." and "WP" (but PS begins a postscript, and "cc" is a label of Notes), and gestures in words.
ALMOST_PAIR = re.compile(r"(?!P\W?S\b|(?-i:[cC]c)$)[FPSWDC>\-](?:\s?[^\w\s]\s?)?[FPSWDC>\-][.,!]?$", re.I)
GESTURE_IN_WORDS = re.compile(
    r"(?:(?:left|right)(?:\s+hand)?\W+(?:fingers?|palm|snap|wave|digit|clap|stab|knife|dagger|nothing)\W*(?:and\s+)?){1,2}$",
    re.I,
)
KEYWORD = re.compile(r"([LR]H2(?!\w)|[A-Za-z_]+)\s*[:=]?\s*(.*)", re.S | re.I)
MAGE_COMMANDS = [name for order in TABLE if order.who == "mage" for name in order.names]
ENDED_BY_NAME = ("MESSAGE", "ANNOUNCE", "LOBBY", "CUT")


def find_order(keyword: str) -> Order | None:
    """Return the order with that keyword, in upper or lower case. CHOOSE can be shortened to its first three
    letters."""
    word = keyword.upper()
    return BY_NAME["CHOOSE"] if word.startswith("CHO") and "CHOOSE".startswith(word[:6]) else BY_NAME.get(word)


def tidy_line(text: str) -> str:
    """Undo what mail programs do to plain letters. Speech and passwords stay as written."""
    plain = text.translate(TYPOGRAPHY)
    keyword, rest = split_keyword(plain)
    if keyword not in ("SAY", "USER", "NEWUSER", "PASSWORD"):
        return plain
    start = len(plain.rstrip()) - len(rest)
    return plain[:start] + text[start:]


def split_keyword(text: str) -> tuple[str, str]:
    found = KEYWORD.match(text)
    return (found[1].upper(), found[2].strip()) if found else ("", text)


def is_near_command(text: str, keyword: str) -> bool:
    """Return whether an unknown line seems to be a command for a mage."""
    return looks_like_gestures(text) or (len(text.split()) <= 4 and find_nearest(keyword, MAGE_COMMANDS) is not None)


def looks_like_gestures(text: str) -> bool:
    """Return whether an unknown line for a mage has misspelt gestures rather than a greeting or a footer."""
    return any(form.match(text) for form in (GESTURE_PAIR, ALMOST_GESTURE, ALMOST_PAIR)) or has_gesture_words(text)


def has_gesture_words(text: str) -> bool:
    """Return whether a line names gestures in words: "left hand: palm", "Linke Hand: Winken"."""
    return bool(GESTURE_IN_WORDS.match(text)) or names_gestures(text)
