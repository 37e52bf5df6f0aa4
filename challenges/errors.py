"""Errors of challenges.

ChallengeError
├── ChallengeNotFound     no challenge has that number
├── InvalidChallenge      cannot be created or changed like this: every problem at once, each with its place
└── ChallengeRefused      understood but not allowed: `code` for programs, the message for people
    ├── ChallengeOver     it is now a battle, or was withdrawn or closed
    ├── CannotJoin
    │   └── LinkOver      the link has expired, was revoked, or never existed
    ├── CannotDecline
    ├── CannotWithdraw
    ├── CannotStart
    ├── CannotPropose     not by this mage, or too many proposals are waiting
    ├── CannotVote        not by this mage, or not on this change
    ├── CannotTakeBack    not this mage's proposal, or already decided
    ├── CannotLink        this mage cannot create or revoke links
    ├── CannotRematch     this battle cannot be fought again now
    ├── NoSuchBot         no computer opponent has this name
    └── TooManyGuests     no more guests can begin now
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from operations.text.suggestions import suggest_one_of


@dataclass(frozen=True)
class Problem:
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

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class ChallengeRefused(ChallengeError):
    """The rules do not allow it. Nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ChallengeOver(ChallengeRefused):
    """The challenge is no longer open."""


class CannotJoin(ChallengeRefused):
    """This mage cannot join."""


class LinkOver(CannotJoin):
    """No working link has this token."""


class CannotDecline(ChallengeRefused):
    """This mage has nothing to decline."""


class CannotWithdraw(ChallengeRefused):
    """Only the challenger can withdraw a challenge."""


class CannotStart(ChallengeRefused):
    """The battle cannot start yet, or this mage cannot start it."""


class CannotPropose(ChallengeRefused):
    """This mage cannot change this challenge."""


class CannotVote(ChallengeRefused):
    """This mage has no vote, or there is no such change to vote on."""


class CannotTakeBack(ChallengeRefused):
    """The proposal is not this mage's, or is already decided."""


class CannotLink(ChallengeRefused):
    """This mage cannot create or revoke links to this challenge."""


class CannotRematch(ChallengeRefused):
    """This battle cannot be fought again now; the code is one of four."""

    def __init__(self, code: str) -> None:
        messages = {
            "running": _("The battle is not over yet."),
            "not_yours": _("This mage did not fight in that battle."),
            "no_mage": _("None of your mages is free."),
            "nobody": _("None of your opponents has a free mage. Try again later."),
        }
        super().__init__(code, messages[code])


class NoSuchBot(ChallengeRefused):
    """No computer opponent has this name. `nearest` is the name that may be meant, or ""."""

    def __init__(self, text: str, nearest: str, known: Sequence[str]) -> None:
        messages = _('There is no bot "%(name)s".') % {"name": text}
        super().__init__("no_bot", suggest_one_of(messages, nearest or None, known))
        self.nearest = nearest


class CannotBeRated(ChallengeRefused):
    """A battle with a bot can be practice, but not rated."""


class TooManyGuests(ChallengeRefused):
    """No more guests can begin now: this hour from this network, or today on the whole site."""

    def __init__(self, *, on_network: bool = False) -> None:
        message = (
            _("Too many guests have started from your network. Sign up to play, or come back in an hour.")
            if on_network
            else _("Too many guests have started today. Sign up to play, or come back tomorrow.")
        )
        super().__init__("guests", message)
