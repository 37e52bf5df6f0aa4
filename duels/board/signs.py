"""How a gesture is written on the page: its drawing, its letter, its word."""

from __future__ import annotations

from typing import Any

WORDS = {
    "F": "fingers",
    "P": "palm",
    "S": "snap",
    "W": "wave",
    "D": "digit",
    "C": "clap",
    ">": "stab",
    "-": "nothing",
    "B": "bow",
}
SYMBOLS = {"F": "F", "P": "P", "S": "S", "W": "W", "D": "D", "C": "C", ">": "stab", "-": "nothing"}
HANDS = ("LH", "RH")
SECOND_HANDS = ("LH2", "RH2")  # of a second pair of gestures in the same turn
HAND_WORDS = {"LH": "Left", "RH": "Right", "BH": "Both"}


def plain(hand: str) -> str:
    """The hand itself, whichever pair of gestures it makes."""
    return hand.removesuffix("2")


def is_second(hand: str) -> bool:
    """Whether this is a hand of a second pair of gestures."""
    return hand.endswith("2")


def shown(letter: str) -> str:
    """The letter as printed on keys and beads: a true dash for nothing."""
    return "–" if letter == "-" else letter


def is_mirrored(letter: str, hand: str) -> bool:
    """Whether the drawing is turned over for this hand; the clap is the same for both."""
    return hand == "LH" and letter != "C"


def steps(series: str) -> list[dict[str, Any]]:
    """A series as letter discs; a small letter is made by both hands."""
    return [{"letter": shown(c.upper()), "both": c.islower()} for c in series]
