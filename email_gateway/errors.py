"""Errors of email.

MailError
├── UnknownMailbox     no such address here: reported before the email is accepted
├── MailTooLarge       more bytes than we take
├── OrderRejected       an order that was understood but not accepted: the reason, and a valid form
├── PasswordLocked     a mail password that we may not check now: the email waits for the owner of the name
├── Unsendable         this email can never be sent to this address; do not retry
└── NothingToSend      a notice whose email is deliberately skipped, and why
"""

from accounts.models import User
from notifications.models import SkipReason


class MailError(Exception):
    """The root of this tree."""


class UnknownMailbox(MailError):
    """No mailbox of this server has this address."""


class MailTooLarge(MailError):
    """The email is larger than FM_MAIL_SIZE_LIMIT."""


class OrderRejected(MailError):
    """An order is not accepted. `nearest` is the nearest valid form, `clause` the rule; `is_unknown`: there is no such
    order."""

    def __init__(self, reason: str, *, nearest: str | None = None, clause: str = "", is_unknown: bool = False) -> None:
        super().__init__(reason)
        self.is_unknown = is_unknown
        self.reason = reason
        self.nearest = nearest
        self.clause = clause


class PasswordLocked(MailError):
    """Too many wrong mail passwords were tried for this user, and the email does not prove that it is theirs."""

    def __init__(self, user: User) -> None:
        super().__init__(user.username)
        self.user = user


class Unsendable(MailError):
    """The receiving side refused this address for good."""


class NothingToSend(MailError):
    """The email for a notice is deliberately not sent, for this reason."""

    def __init__(self, reason: SkipReason = SkipReason.NOTHING_TO_REPORT) -> None:
        super().__init__(reason.value)
        self.reason = reason
