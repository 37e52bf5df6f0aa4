"""The mail password, for USER in emailed orders: off until the user sets it."""

from datetime import datetime

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.errors import InvalidMailPassword
from accounts.models import User
from accounts.password_limits import MAIL_NAME, MAIL_SENDER, MAIL_SENDER_AND_NAME, MAIL_STRANGERS
from accounts.selectors.users import list_addresses_of
from accounts.services.mages import touch_activity
from operations.web.throttle import Throttle

EVERYBODY = "everybody"


def set_mail_password(*, user: User, raw: str, now: datetime) -> None:
    """Store `raw` hashed, or switch USER orders off if it is empty. Raises InvalidMailPassword."""
    if raw:
        check_mail_password_fitness(user=user, raw=raw)
    user.mail_password = make_password(raw) if raw else ""
    user.save(update_fields=["mail_password"])
    touch_activity(user=user, now=now)


def check_mail_password(*, user: User | None, raw: str, sender: str = "", is_proven: bool = False) -> bool:
    """Return whether `raw` is `user`'s mail password; always False while it is switched off, and for no user (None).

    `sender` is the address the email came from. Anyone can write any sender, so failures count for the sender and for
    the name. Raises TooManyAttempts once there are too many, even for the right password, but not if the way of the
    email proves that it comes from `user` (`is_proven`).
    """
    subjects = _list_subjects(user, _strip_detail(sender))
    if not is_proven:
        for throttle, subject in subjects.items():
            throttle.check(subject)
    if user is not None and user.is_active and user.mail_password and check_password(raw, user.mail_password):
        MAIL_SENDER_AND_NAME.forget(subjects[MAIL_SENDER_AND_NAME])
        return True
    for throttle, subject in subjects.items():
        throttle.count(subject)
    return False


def _list_subjects(user: User | None, sender: str) -> dict[Throttle, str]:
    """Return what a failure counts for, for each limit; blank: for nothing."""
    name = str(user.pk) if user is not None else ""
    return {
        MAIL_SENDER_AND_NAME: f"{sender} {name}" if name else "",
        MAIL_SENDER: sender,
        MAIL_NAME: name,
        MAIL_STRANGERS: "" if user is not None and _is_own(user, sender) else EVERYBODY,
    }


def _is_own(user: User, sender: str) -> bool:
    """Return whether an email claims a verified address of the user, whatever follows the +."""
    return sender in {_strip_detail(one.email) for one in list_addresses_of(user) if one.verified}


def _strip_detail(address: str) -> str:
    local, at, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"


def check_mail_password_fitness(*, user: User, raw: str) -> None:
    """Raise InvalidMailPassword, with every problem, unless `raw` may become the mail password of `user`."""
    problems = []
    if any(letter.isspace() or letter == ";" for letter in raw):
        problems.append(_("A mail password cannot contain spaces or semicolons, because it is one word of an order."))
    if not raw.isascii():
        problems.append(_("Use only ASCII letters, digits and symbols in a mail password."))
    if user.has_usable_password() and check_password(raw, user.password):
        problems.append(
            _("Choose a mail password that differs from your site password, because email is not always encrypted.")
        )
    try:
        validate_password(raw, user)
    except ValidationError as error:
        problems.extend(error.messages)
    if problems:
        raise InvalidMailPassword(problems)
