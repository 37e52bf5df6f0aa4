"""Openings: the first pairs of gestures of a mage, in the form in which they are counted."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from duels.board.signs import WORDS, shown
from rules_engine.gestures import GESTURES
from rules_engine.records import PAIRS, turn_alike

LETTERS_OF_A_PAIR = 2


@dataclass(frozen=True)
class LineStep:
    """One pair of a line: its two letters and the line up to it. `is_even`: left and right cannot be told apart yet."""

    line: str
    left: str
    right: str
    is_even: bool

    @property
    def shown(self) -> str:
        return f"{shown(self.left)}/{shown(self.right)}"

    @property
    def words(self) -> str:
        if self.left == self.right:
            return _("%(gesture)s with both hands") % {"gesture": WORDS[self.left]}
        words = {"left": WORDS[self.left], "right": WORDS[self.right]}
        return (_("%(left)s and %(right)s") if self.is_even else _("left %(left)s, right %(right)s")) % words


def read_line(text: str) -> str | None:
    """Return a line in its counted form, or None if the text is not a line.

    The hands can be swapped; case, blanks and slashes do not matter ("sw pd", "S/W P/D"). "" is the line before the
    first gesture.
    """
    letters = "".join(text.upper().replace("/", " ").split()).replace("–", "-")
    pairs = [letters[at : at + LETTERS_OF_A_PAIR] for at in range(0, len(letters), LETTERS_OF_A_PAIR)]
    if len(letters) % LETTERS_OF_A_PAIR or len(pairs) > PAIRS or not set(letters) <= set(GESTURES):
        return None
    return "".join(turn_alike(pairs))


def list_steps(line: str) -> list[LineStep]:
    """Return the pairs of a counted line, each with the line up to it."""
    steps, even = list[LineStep](), True
    for end in range(LETTERS_OF_A_PAIR, len(line) + 1, LETTERS_OF_A_PAIR):
        left, right = line[end - 2], line[end - 1]
        steps.append(LineStep(line[:end], left, right, even))
        even = even and left == right
    return steps


def list_pair_letters() -> list[tuple[str, str]]:
    """Return each gesture letter with its word, for a menu."""
    return [(letter, str(WORDS[letter])) for letter in GESTURES]
