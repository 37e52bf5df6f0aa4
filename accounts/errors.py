"""Errors concerning users and mages.

AccountsError
├── AccountRefused (and Refused of operations)  not allowed: SENTENCES lists why
├── InvalidName            the name cannot be used: every problem, and the nearest free name
│   ├── NameTaken          well formed, but someone has or had it
│   ├── AccountClosed      closed a moment ago, so it gets no more mages
│   └── TooManyMages       the user has as many mages as they may have, or as many new ones
├── NoSuchMage             no mage has the name, and perhaps the nearest name
│   └── NotYourMage        the mage is someone else's
├── MageUnavailable
│   ├── MageBusy           in a challenge or battle already
│   └── MageDead           mages who died or left cannot join
├── InvalidVacation        no such number of days
├── StillHasMages          users can leave once they have no living mages
├── RenamedLately          the last change of name was too recent
├── AddressTaken           someone else has confirmed this email address
├── InvalidMailPassword    the mail password cannot be used: every problem
├── InvalidWebhook         the address of a webhook cannot be used
├── InvalidPushDevice      what a browser sent cannot be used for notifications
├── TooManyTokens          users have a limited number of tokens
└── KeyUsedOtherwise       an idempotency key was used for another request
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from operations.errors import Refused
from operations.text.suggestions import suggest

SENTENCES = {
    # Following and blocking.
    "guest_follows": _("Guests cannot follow anyone. Sign up first: press “Keep this mage”."),
    "follows_self": _("You cannot follow yourself."),
    "cannot_follow": _("You cannot follow %(name)s."),
    "follows_blocked": _("You cannot follow %(name)s: there is a block between you."),
    "follows_too_many": _("You already follow %(most)s users."),
    "blocks_self": _("You cannot block yourself."),
    # Becoming a bot.
    "guest_bot": _("Guests have no account. Sign up first."),
    "janitor_bot": _("Janitors cannot become bots."),
    "closed": _("This account is closed."),
    "has_fought": _("One of your mages has fought a battle. Sign up with a new account for your bot."),
    "in_challenges": _("Leave your challenges first: %(mages)s."),
}


@dataclass(frozen=True)
class NameProblem:
    """One thing wrong with a name: a code for programs, a sentence for people."""

    code: str
    message: str


class AccountsError(Exception):
    """The root of the tree."""


class AccountRefused(Refused, AccountsError):
    sentences = SENTENCES


class InvalidName(AccountsError):
    """The text cannot be used as a name. `nearest` is a free name close to it, or None."""

    def __init__(self, text: str, problems: Sequence[NameProblem], nearest: str | None) -> None:
        self.text = text
        self.problems = tuple(problems)
        self.nearest = nearest
        super().__init__(self.sentence())

    def sentence(self) -> str:
        message = " ".join(problem.message for problem in self.problems)
        if not self.nearest:
            return message
        is_free = gettext("%(name)s is available.") % {"name": self.nearest}
        return f"{message} {is_free}"


class NameTaken(InvalidName):
    """The name is well formed, but someone has or had it."""


class AccountClosed(InvalidName):
    """The account was closed a moment ago, so it gets no more mages."""

    def __init__(self, text: str) -> None:
        super().__init__(text, [NameProblem("closed", gettext("This account is closed."))], None)


class TooManyMages(InvalidName):
    """The user has as many living mages as anyone may have, or has registered as many as anyone may in a day."""

    def __init__(self, text: str, message: str) -> None:
        super().__init__(text, [NameProblem("too_many_mages", message)], None)


class InvalidWebhook(AccountsError):
    """The address of a webhook cannot be used. `nearest` is an address that could be, or None."""

    def __init__(self, message: str, nearest: str | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest


class InvalidPushDevice(AccountsError):
    """What a browser sent about itself cannot be used for notifications; the message says why."""


class TooManyTokens(AccountsError):
    """The user has as many tokens as anyone may have."""

    def __init__(self, most: int) -> None:
        super().__init__(gettext("You have %(most)d tokens. Revoke one first.") % {"most": most})


class KeyUsedOtherwise(AccountsError):
    """An idempotency key was used for another request."""

    def __str__(self) -> str:
        return gettext("You have used this key for another request. Use a new key for each request.")


class NoSuchMage(AccountsError):
    """No mage has this name. `nearest` is the mage who may be meant; the error's text contains both."""

    @staticmethod
    def sentence(name: str) -> str:
        return (
            gettext("No mage is called %(name)s.") % {"name": name}
            if name.strip()
            else gettext("Enter the name of a mage.")
        )

    def __init__(self, name: str, nearest: str | None = None) -> None:
        self.name = name
        self.message = self.sentence(name)
        self.nearest = nearest
        super().__init__(suggest(self.message, nearest))


class NotYourMage(NoSuchMage):
    """The mage belongs to someone else."""

    @staticmethod
    def sentence(name: str) -> str:
        return gettext("%(name)s is not your mage.") % {"name": name}


class MageUnavailable(AccountsError):
    """The mage cannot join anything now."""


class MageBusy(MageUnavailable):
    """The mage is already in challenge or battle (`kind`) `number`."""

    def __init__(self, mage_name: str, kind: str, number: int) -> None:
        self.mage_name, self.kind, self.number = mage_name, kind, number
        message = (
            gettext("%(mage)s is in battle %(number)s.")
            if kind == "battle"
            else gettext("%(mage)s is in challenge %(number)s.")
        )
        super().__init__(message % {"mage": mage_name, "number": number})


class MageDead(MageUnavailable):
    """The mage is dead, or has left the mountain."""

    def __init__(self, mage_name: str, *, has_left: bool = False) -> None:
        self.mage_name = mage_name
        message = gettext("%(mage)s has left the mountain.") if has_left else gettext("%(mage)s is dead.")
        super().__init__(message % {"mage": mage_name})


class InvalidVacation(AccountsError):
    """No vacation can have this number of `days`; it can have 1 to `most`, or none is left (0)."""

    def __init__(self, days: int, most: int) -> None:
        self.days, self.most = days, most
        message = gettext("You have used all your vacation days for this year.")
        if most > 0:
            message = ngettext("Choose 1 to %(most)s day.", "Choose 1 to %(most)s days.", most) % {"most": most}
        super().__init__(message)


class StillHasMages(AccountsError):
    """The user still has living mages; `mages` are their names."""

    def __init__(self, mages: Sequence[str]) -> None:
        self.mages = tuple(mages)
        super().__init__(gettext("You still have living mages: %(mages)s.") % {"mages": ", ".join(mages)})


class RenamedLately(AccountsError):
    """The user changed their name recently and can do so again from `again_at`."""

    def __init__(self, again_at: datetime) -> None:
        self.again_at = again_at
        super().__init__(
            gettext("You changed your name recently. You can change it again from %(day)s.")
            % {"day": date_format(again_at)}
        )


class AddressTaken(AccountsError):
    """Another user has confirmed this address."""

    def __init__(self) -> None:
        super().__init__("This address belongs to another user.")


class InvalidMailPassword(AccountsError):
    """The text cannot be used as a mail password; `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problems))


class NotAGuest(AccountsError):
    """This user is not a guest, or not any more."""

    def __init__(self) -> None:
        super().__init__(gettext("You are no longer a guest."))
