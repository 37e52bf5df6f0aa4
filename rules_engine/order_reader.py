"""Reads the orders of one mage: finds problems, and the beings that names mean.

A name that the mage cannot know gets the same answer whether or not it exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from rules_engine.audience import known_beings, known_to_move_twice
from rules_engine.beings import NOBODY
from rules_engine.errors import Problem
from rules_engine.gestures import GESTURES
from rules_engine.glossary import CREATURES, YOUR_HANDS, list_being_names, list_creature_names, list_hand_names
from rules_engine.keywords import HAND_NAMES, SECOND_NAMES, put_in_place
from rules_engine.state import State
from rules_engine.text import say

FIRST_HANDS = ("LH", "RH", "BH")
STORY_HANDS = tuple(YOUR_HANDS)
# "your left hand (second time)" has the most words in English, and as many in German.
LONGEST_HAND = 5
NOBODY_NAMES = frozenset({"nobody", "noone", "no_one", "none", "no_body"})
# What may stand after a name, although no name has it.
MARKS = ".,:;!?"
# Words of a sentence must not suggest a name: "thanks", "please".
LIKE_NAME = 0.7
NOT_ALLOWED = "not_allowed"
"""The code of problems with orders that were understood; all other codes mean "not understood"."""


@dataclass
class Reader:
    """The lines of one mage, while they are read; `line` and `text` are the current one."""

    state: State
    mage: str
    slots: dict[str, str] = field(default_factory=dict)
    emptied: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    end: bool = False
    clear: bool = False
    line: int = 0
    text: str = ""

    @property
    def is_doubled(self) -> bool:
        """Whether this mage plays two pairs of gestures in this turn."""
        return self.state.wizards[self.mage].again is not None

    def hand(self, written: str) -> str | None:
        """Return the hand that a word names, including those of a second pair if there is one."""
        word = written.upper()
        return HAND_NAMES.get(word) or (SECOND_NAMES.get(word) if self.is_doubled else None)

    def take_hand(self, words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
        """Return the hand that the words begin with, in the form of orders or of stories ("deine linke Hand"), and the
        words after it."""
        if words and (hand := self.hand(words[0])) is not None:
            after = words[1:]
            is_whole = len(after) > 1 and after[0].lower() == "hand"  # "left hand"
            return hand, after[1:] if is_whole else after
        for count in range(min(len(words), LONGEST_HAND), 1, -1):
            written = " ".join(words[:count]).lower()
            hand = next((hand for hand in STORY_HANDS if written in list_hand_names(hand)), None)
            if hand is not None and (hand in FIRST_HANDS or self.is_doubled):
                return hand, words[count:]
        return None, words

    def reject(self, code: str, message: str, nearest: str | None = None) -> None:
        self.problems.append(Problem(self.line, self.text.strip(), code, message, nearest))

    def miss(self, message: str, nearest: str) -> None:
        """Reject a line with too few words."""
        self.reject("words_missing", message, nearest)

    def reject_name(self, message: str, written: str, near: str | None) -> None:
        """Reject a name; the nearest form is the line with the nearest name in its place."""
        self.reject("unknown_name", message, put_in_place(self.text.split(";", 1)[0], written, near) if near else None)

    @property
    def names(self) -> tuple[str, ...]:
        """Beings this mage may name: also the dead, for Raise Dead, and all mages (FM-ORDMOVE-12)."""
        return (*known_beings(self.state, self.mage, with_dead=True), *self.state.mages)


def find_victim(reader: Reader, words: Sequence[str]) -> str | None:
    """Return a being, an unborn form, or nobody; the words are joined."""
    written = "".join(words)
    if written.lower() in NOBODY_NAMES:
        return NOBODY
    phrase = " ".join(words).lower()
    if written.lower() not in {name.lower() for name in reader.names}:
        if phrase in list_being_names("nobody"):
            return NOBODY
        if phrase in list_being_names("yourself"):
            return reader.mage
        if written.rstrip(MARKS).lower() in NOBODY_NAMES:
            _reject_marks(reader, written, NOBODY)
            return None
    return find_unborn(reader, written) if ":" in written else find_known(reader, written, " ".join(words))


def find_unborn(reader: Reader, written: str) -> str | None:
    hand, _, name = written.partition(":")
    mage = next((m for m in reader.state.mages if m.lower() == name.lower()), None)
    selector = HAND_NAMES.get(hand.upper())
    if mage in known_to_move_twice(reader.state, reader.mage):
        selector = selector or SECOND_NAMES.get(hand.upper())
    if selector is not None and mage is not None:
        return f"{selector}:{mage}"
    nearest = f"{selector or 'LH'}:{mage or reader.mage}"
    reader.reject_name(say("{written} is not the hand of a mage.", written=written), written, nearest)
    return None


def find_known(reader: Reader, written: str, said: str = "") -> str | None:
    """Return a being of that name, if this mage knows it. A hidden one is rejected in the same words as an absent
    one. `said` is the name as the rejection repeats it, if it was written as several words."""
    names = {name.lower(): name for name in reader.names}
    story = (names.get(kind.lower()) for kind in CREATURES if written.lower() in list_creature_names(kind))
    found = names.get(written.lower()) or next((name for name in story if name), None)
    bare = written.rstrip(MARKS) or written
    if found is None and bare.lower() in names and bare != written:
        _reject_marks(reader, written, names[bare.lower()])
    elif found is None:
        near = get_close_matches(written.lower(), names, n=1, cutoff=0.5)
        shown = said.rstrip(MARKS) or bare
        message = say("You don't know anyone called {written}.", written=shown)
        reader.reject_name(message, written, names[near[0]] if near else None)
    return found


def _reject_marks(reader: Reader, written: str, name: str) -> None:
    """Reject a name with a full stop or the like after it."""
    marks = written[len(written.rstrip(MARKS)) :]
    reader.reject_name(say('Leave out the "{marks}" after {name}.', marks=marks, name=name), written, name)


def hand_among(
    reader: Reader, words: Sequence[str], default: str, *, allowed: Sequence[str] = ("LH", "RH", "BH")
) -> str:
    """Return the first hand that the words of a rejected line name, for its nearest valid form."""
    hands = (reader.hand(word.strip(",:")) for word in words)
    return next((hand for hand in hands if hand is not None and hand in allowed), default)


def being_among(reader: Reader, words: Sequence[str], default: str, *, mages_only: bool = False) -> str:
    """Return the first being that the words of a rejected line name and this mage knows."""
    names = {name.lower(): name for name in (reader.state.still_in if mages_only else reader.names)}
    return next((names[word.lower()] for word in words if word.lower() in names), default)


def being_resembling(reader: Reader, words: Sequence[str]) -> str | None:
    """Return the first being whose name one of these words has or resembles, without marks around it."""
    names = {name.lower(): name for name in reader.names}
    near = (get_close_matches(word.strip(MARKS).lower(), names, n=1, cutoff=LIKE_NAME) for word in words)
    return next((names[found[0]] for found in near if found), None)


def find_mage(reader: Reader, written: str) -> str | None:
    """Return a mage who is still in the battle."""
    still_in = {name.lower(): name for name in reader.state.still_in}
    found = still_in.get(written.lower())
    if found is None:
        near = get_close_matches(written.lower(), still_in, n=1, cutoff=0.5)
        message = say("{written} is not a mage in this battle.", written=written)
        reader.reject_name(message, written, still_in[near[0]] if near else None)
    return found


def find_foe(reader: Reader) -> str:
    return next((name for name in reader.state.still_in if name != reader.mage), reader.mage)


def reject_gesture(written: str) -> str:
    return say("{word} is not a gesture. Use one of {gestures}.", word=written, gestures=" ".join(GESTURES))
