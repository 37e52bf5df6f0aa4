"""Forgeries of records: one fact of the text changed, as somebody would who wants another story told."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from rules_engine.gestures import GESTURES
from rules_engine.records import keep_record, write_record
from tests.rules_engine.recorded_battles import store_battle

RULESETS = ("firetop-standard", "firetop-server", "waving-hands", "spellcast", "warlocks")
Forge = Callable[[list[str], int, random.Random], str]


def write_true_record(rng: random.Random) -> str:
    """The record of a battle played at random."""
    stored = store_battle(rng.randrange(40), rng.choice(RULESETS), mages=rng.choice((2, 2, 3)))
    return write_record(keep_record(stored))


def forge(text: str, rng: random.Random) -> tuple[str, str]:
    """A text that differs from the record in one fact, and the lines that were there instead of others, in words."""
    lines = text.split("\n")
    while True:
        at = rng.randrange(len(lines))
        kind = next((kind for kind in FORGES if re.match(kind, lines[at])), None)
        if kind is None:
            continue
        false = rng.choice(FORGES[kind])(lines, at, rng)
        forged = [*lines[:at], *([false] if false else []), *lines[at + 1 :]]
        if forged != lines:
            return "\n".join(forged), f"{lines[at]!r} became {false!r}"


def change_gesture(lines: list[str], at: int, rng: random.Random) -> str:
    hand, gesture = lines[at].rsplit(" ", 1)
    return f"{hand} {rng.choice([each for each in GESTURES if each != gesture])}"


def change_number(lines: list[str], at: int, rng: random.Random) -> str:
    """One of the numbers of the line is another."""
    found = rng.choice(list(re.finditer(r"-?\d+", lines[at])))
    return f"{lines[at][: found.start()]}{int(found[0]) + rng.choice((-2, -1, 1, 2))}{lines[at][found.end() :]}"


def change_target(lines: list[str], at: int, rng: random.Random) -> str:
    """Somebody else in place of the last name of the line."""
    names = [line.split()[1] for line in lines if line.startswith("mage ")]
    before, name = lines[at].rsplit(" ", 1)
    return f"{before} {rng.choice([each for each in names if each != name])}"


def change_letters(lines: list[str], at: int, rng: random.Random) -> str:
    """A gesture that was seen is another."""
    before, letters = lines[at].rsplit(" ", 1)
    return f"{before} {rng.choice([each for each in GESTURES if each != letters[0]])}{letters[1:]}"


def leave_out(lines: list[str], at: int, rng: random.Random) -> str:
    return ""


def change_words(lines: list[str], at: int, rng: random.Random) -> str:
    return f"{lines[at]} not"


# What can be forged in a line that begins so.
FORGES: dict[str, tuple[Forge, ...]] = {
    r"throw .*\d$": (change_number, leave_out),
    r"  [LR]H .$": (change_gesture, leave_out),
    r"  TARGET ": (change_target, leave_out),
    r"  SAY ": (change_words, leave_out),
    r"  gestures ": (change_letters, leave_out),
    r"  casts .* at ": (change_target, leave_out),
    r"  casts ": (leave_out,),
    r"  hp ": (change_number, leave_out),
    r"  creature ": (change_number, change_target, leave_out),
    r"  told ": (change_number,),
    r"turn ": (change_number,),
    r"(winner|dead|surrendered|sharing) ": (change_target, leave_out),
}
