"""What can go wrong with a challenge.

ChallengeError
├── ChallengeNotFound     no challenge has that number
├── InvalidChallenge      what was asked for is no challenge: every problem at once, each with its place
└── ChallengeRefused      understood but not allowed: `code` for programs, the message for people
    ├── ChallengeOver     it has become a battle, or was withdrawn
    ├── CannotJoin
    │   └── LinkOver      the link has expired or was revoked, or never was one
    ├── CannotDecline
    ├── CannotWithdraw
    ├── CannotStart
    ├── CannotPropose     not from this mage, or too many proposals wait
    ├── CannotVote        not this mage, or not on this change
    ├── CannotTakeBack    somebody else's proposal, or it is decided
    └── CannotLink        this mage hands out no links
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a challenge: the field, a code, a sentence, and what may have been meant instead."""

    place: str
    code: str
    message: str
    nearest: str | None = None


class ChallengeError(Exception):
    """The root of this tree."""


class ChallengeNotFound(ChallengeError):
    """No challenge has this number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"There is no challenge {number}.")
        self.number = number


class InvalidChallenge(ChallengeError):
    """The challenge cannot be made as asked; `problems` holds them all."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class ChallengeRefused(ChallengeError):
    """The rules forbid it. Nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ChallengeOver(ChallengeRefused):
    """The challenge takes no more answers."""


class CannotJoin(ChallengeRefused):
    """This mage cannot take a seat."""


class LinkOver(CannotJoin):
    """No link that works has this token."""


class CannotDecline(ChallengeRefused):
    """This mage has nothing to decline."""


class CannotWithdraw(ChallengeRefused):
    """Only the challenger withdraws a challenge."""


class CannotStart(ChallengeRefused):
    """The battle cannot start yet, or not on this mage's word."""


class CannotPropose(ChallengeRefused):
    """This mage changes nothing here."""


class CannotVote(ChallengeRefused):
    """This mage has no vote, or there is no such change to vote on."""


class CannotTakeBack(ChallengeRefused):
    """The proposal is not this mage's, or is decided already."""


class CannotLink(ChallengeRefused):
    """This mage makes and revokes no links to this challenge."""
