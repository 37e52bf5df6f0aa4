"""Errors of challenges.

ChallengeError
├── ChallengeNotFound     no challenge has that number
├── InvalidChallenge      cannot be created or changed like this: every problem at once, each with its place
├── RoomRefused (and Refused of operations)  a line is not written or removed: words.ROOM_REFUSALS lists why
└── ChallengeRefused (and Refused of operations)  not allowed: words.REFUSALS lists why
    ├── ChallengeOver     it is now a battle, or was withdrawn or closed
    └── NoSuchBot         no computer opponent has this name
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from challenges.words import REFUSALS, ROOM_REFUSALS
from operations.errors import Refused
from operations.text.suggestions import suggest_one_of


@dataclass(frozen=True)
class ChallengeProblem:
    """One thing wrong with a challenge: the field, a code, a sentence, and the nearest valid value."""

    place: str
    code: str
    message: str
    nearest: str | None = None


class ChallengeError(Exception):
    """The base of all errors of challenges."""


class ChallengeNotFound(ChallengeError):
    """No challenge has this number."""

    def __init__(self, number: int) -> None:
        super().__init__(_("There is no challenge %(number)d.") % {"number": number})
        self.number = number


class InvalidChallenge(ChallengeError):
    """The challenge or change is invalid; `problems` holds every reason."""

    def __init__(self, problems: Sequence[ChallengeProblem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class ChallengeRefused(Refused, ChallengeError):
    """The rules do not allow it. Nothing was changed."""

    sentences = REFUSALS


class RoomRefused(Refused, ChallengeError):
    """A line in the lobby's room is not written or removed."""

    sentences = ROOM_REFUSALS


class ChallengeOver(ChallengeRefused):
    """The challenge is no longer open."""


class NoSuchBot(ChallengeRefused):
    """No computer opponent has this name. `nearest` is the name that may be meant, or ""."""

    def __init__(self, text: str, nearest: str, known: Sequence[str]) -> None:
        super().__init__("no_bot", name=text)
        self.problems = (suggest_one_of(str(self), nearest or None, known),)
        self.nearest = nearest
