"""What can go wrong around users and mages.

AccountsError
├── InvalidName            not a name that can be given: every problem, and the nearest one that can
│   └── NameTaken          well formed, but somebody has or had it
├── NoSuchMage             nobody of that name, and perhaps the nearest name
│   └── NotYourMage        somebody else's
├── MageUnavailable
│   ├── MageBusy           in a challenge or battle already
│   └── MageDead           dead mages stay out
├── InvalidVacation        no such number of days
├── StillHasMages          a user goes when his mages are gone
├── RenamedLately          another name not so soon again
├── AddressTaken           somebody else has proven this mail address
├── InvalidMailPassword    unfit to be set: every problem
├── CannotBlock            nobody blocks himself
├── AddressPending         signed up with already, not confirmed
└── Refused (of operations)  a text for others cannot be accepted: every problem
    ├── CannotActOnUser    what a janitor may not do to a user, or cannot undo
    ├── CannotMerge        two accounts that stay two
    ├── CannotReport       a report or its answer
    └── CannotSanction     a warning or a suspension
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fm_site.operations.errors import Refused
from fm_site.operations.nearest import suggest


@dataclass(frozen=True)
class NameProblem:
    """One thing wrong with a name: a code for programs, a sentence for people."""

    code: str
    message: str


class AccountsError(Exception):
    """The root of the tree."""


class InvalidName(AccountsError):
    """The text cannot be given as a name. `nearest` is a free name close to it, or None."""

    def __init__(self, text: str, problems: Sequence[NameProblem], nearest: str | None) -> None:
        self.text = text
        self.problems = tuple(problems)
        self.nearest = nearest
        super().__init__(self.sentence())

    def sentence(self) -> str:
        told = " ".join(problem.message for problem in self.problems)
        return f"{told} {self.nearest} is free." if self.nearest else told


class NameTaken(InvalidName):
    """The text is a good name, and somebody has or had it."""


class NoSuchMage(AccountsError):
    """No mage has this name. `message` says so, `nearest` is the mage that may be meant, and the text holds both."""

    sentence = "No mage is called {name}."

    def __init__(self, name: str, nearest: str | None = None) -> None:
        self.name = name
        self.message = self.sentence.format(name=name)
        self.nearest = nearest
        super().__init__(suggest(self.message, nearest))


class NotYourMage(NoSuchMage):
    """The mage belongs to somebody else."""

    sentence = "{name} is not your mage."


class MageUnavailable(AccountsError):
    """The mage cannot join anything now."""


class MageBusy(MageUnavailable):
    """The mage is in `kind` ("challenge" or "battle") `number` already."""

    def __init__(self, mage_name: str, kind: str, number: int) -> None:
        self.mage_name, self.kind, self.number = mage_name, kind, number
        super().__init__(f"{mage_name} is in {kind} {number}.")


class MageDead(MageUnavailable):
    """The mage is dead."""

    def __init__(self, mage_name: str) -> None:
        self.mage_name = mage_name
        super().__init__(f"{mage_name} is dead.")


class InvalidVacation(AccountsError):
    """Not a number of days that a vacation may last."""

    def __init__(self, days: int, most: int) -> None:
        self.days, self.most = days, most
        super().__init__(f"Choose 1 to {most} days.")


class StillHasMages(AccountsError):
    """The user has living mages, by name."""

    def __init__(self, mages: Sequence[str]) -> None:
        self.mages = tuple(mages)
        super().__init__(f"You still have living mages: {', '.join(mages)}.")


class RenamedLately(AccountsError):
    """The user has taken another name a short while ago; the next one from `again_at`."""

    def __init__(self, again_at: datetime) -> None:
        self.again_at = again_at
        super().__init__(f"You changed your name recently. You can change it again from {again_at:%-d %B %Y}.")


class AddressTaken(AccountsError):
    """The address is somebody else's, who has proven it."""

    def __init__(self) -> None:
        super().__init__("This address belongs to another user.")


class InvalidMailPassword(AccountsError):
    """The text cannot be a mail password; `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problems))


class CannotBlock(AccountsError):
    """The block makes no sense."""


class CannotActOnUser(Refused, AccountsError):
    """A janitor may not do this to the user, or it can no longer be undone."""


class CannotMerge(Refused, AccountsError):
    """These two users cannot be made one."""


class CannotReport(Refused, AccountsError):
    """The report, or its answer, cannot be taken."""


class CannotSanction(Refused, AccountsError):
    """The user cannot be warned or suspended so."""


class AddressPending(AccountsError):
    """Somebody has just signed up with this address, and it waits to be confirmed."""

    def __init__(self) -> None:
        super().__init__(
            "Someone has just signed up with this address. If it was you, open the link in the email, or log in with "
            "an emailed code."
        )
