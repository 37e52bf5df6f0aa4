"""Errors concerning users and mages.

AccountsError
├── InvalidName            the name cannot be used: every problem, and the nearest free name
│   └── NameTaken          well formed, but someone has or had it
├── InvalidMailPassword    the mail password cannot be used: every problem
├── KeyUsedOtherwise       an idempotency key was used for another request
└── AccountRefused (and Refused of operations)  not allowed: SENTENCES lists why
    ├── NoSuchMage         no mage of the user has the name, and perhaps the nearest name
    ├── MageUnavailable    the mage is dead or has left, so they can join nothing
    │   └── MageBusy       in a challenge or battle already; says in which
    ├── InvalidVacation    no such number of days; says how many are possible
    ├── StillHasMages      users can leave once they have no living mages; says which
    ├── StillFighting      users can leave once they play in no battle any more; says in which
    ├── AddressTaken       someone else has confirmed this email address
    └── NotAGuest          the guest has signed up already
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from operations.errors import Refused
from operations.text.suggestions import suggest

SENTENCES = {
    # Mages.
    "no_such_mage": _("No mage is called %(name)s."),
    "no_mage_named": _("Enter the name of a mage."),
    "not_your_mage": _("%(name)s is not your mage."),
    "in_battle": _("%(mage)s is in battle %(number)s."),
    "in_challenge": _("%(mage)s is in challenge %(number)s."),
    "dead": _("%(mage)s is dead."),
    "left": _("%(mage)s has left the mountain."),
    # Users.
    "wrong_vacation": ngettext_lazy("Choose 1 to %(most)s day.", "Choose 1 to %(most)s days.", "most"),
    "no_vacation_left": _("You have used all your vacation days for this year."),
    "still_has_mages": _("You still have living mages: %(mages)s."),
    "still_fighting": ngettext_lazy(
        "You still play in battle %(battles)s. Finish it, or leave the league or cup that it belongs to.",
        "You still play in the battles %(battles)s. Finish them, or leave the league or cup that they belong to.",
        "count",
    ),
    "renamed_lately": _("You changed your name recently. You can change it again from %(day)s."),
    "address_taken": _("This address belongs to another user."),
    "not_a_guest": _("You are no longer a guest."),
    "too_many_tokens": _("You have %(most)d tokens. Revoke one first."),
    "wrong_push_keys": _("Your browser sent keys that we cannot use. Turn notifications off and on again."),
    # What users write about themselves and others.
    "too_many_notes": _("You have %(most)s private notes. Delete one first."),
    "guest_about": _("Guests have no page. Sign up first: press “Keep this mage”."),
    "text_too_long": _("This has %(length)s characters. Shorten it to %(most)s."),
    "cannot_host": _("Guests and bots cannot be hosts."),
    # Following and blocking.
    "guest_follows": _("Guests cannot follow anyone. Sign up first: press “Keep this mage”."),
    "follows_self": _("You cannot follow yourself."),
    "cannot_follow": _("You cannot follow %(name)s."),
    "follows_blocked": _("You cannot follow %(name)s: there is a block between you."),
    "follows_too_many": _("You already follow %(most)s users."),
    "blocks_self": _("You cannot block yourself."),
    # Messages.
    "no_message": _("There is no text."),
    "too_many_rows": _("A message can have at most %(most)s lines."),
    "guest_writes": _("Guests cannot write to anyone. Sign up first: press “Keep this mage”."),
    "writes_to_self": _("You cannot write to yourself."),
    "writes_to_nobody": _("The player you write to has left."),
    "cannot_write": _("%(name)s gets no messages."),
    "writes_to_blocked": _("You have blocked %(name)s. Neither of you can write to or challenge the other."),
    "block_between": _("You cannot write to %(name)s: there is a block between you."),
    "bot_writes": _("%(name)s takes no messages from bots."),
    "too_many_strangers": _(
        "You have written to %(most)s people today whom you have never fought. Write to more of them tomorrow."
    ),
    "too_many_messages": _("You have written %(most)s messages today. Write again tomorrow."),
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


class InvalidMailPassword(AccountsError):
    """The text cannot be used as a mail password; `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problems))


class KeyUsedOtherwise(AccountsError):
    """An idempotency key was used for another request."""

    def __str__(self) -> str:
        return gettext("You have used this key for another request. Use a new key for each request.")


class AccountRefused(Refused, AccountsError):
    sentences = SENTENCES


class NoSuchMage(AccountRefused):
    """The user has no mage of this name. `nearest` is the one who may be meant; `message` does not suggest them."""

    def __init__(self, code: str, *, name: str, nearest: str | None) -> None:
        super().__init__(code, name=name)
        self.message, self.nearest = str(self), nearest
        self.problems = (suggest(self.message, nearest),)


class MageUnavailable(AccountRefused):
    """The mage cannot join anything now."""


class MageBusy(MageUnavailable):
    """The mage is already in challenge or battle (`kind`) `number`."""

    def __init__(self, mage: str, kind: str, number: int) -> None:
        super().__init__(f"in_{kind}", mage=mage, number=number)
        self.kind, self.number = kind, number


class StillFighting(AccountRefused):
    """The user still plays in the battles `numbers`, even if the mages there are dead or have left elsewhere."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__("still_fighting", battles=", ".join(map(str, numbers)), count=len(numbers))
        self.numbers = tuple(numbers)


class InvalidVacation(AccountRefused):
    """No vacation can have this number of days; it can have 1 to `most`, or none is left (0)."""

    def __init__(self, most: int) -> None:
        super().__init__("wrong_vacation" if most > 0 else "no_vacation_left", most=most)
        self.most = most


class StillHasMages(AccountRefused):
    """The user still has living mages; `mages` are their names."""

    def __init__(self, mages: Sequence[str]) -> None:
        super().__init__("still_has_mages", mages=", ".join(mages))
        self.mages = tuple(mages)


class AddressTaken(AccountRefused):
    """Another user has confirmed this address."""


class NotAGuest(AccountRefused):
    """This user is not a guest, or not any more."""
