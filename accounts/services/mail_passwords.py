"""The mail password, for USER in emailed orders: off until the user sets it."""

from datetime import datetime

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.errors import InvalidMailPassword
from accounts.models import User
from accounts.password_limits import BY_ALL_STRANGERS, BY_MAIL, BY_STRANGERS
from accounts.selectors.users import list_addresses_of
from accounts.services.mages import touch_activity

EVERYBODY = "everybody"


def set_mail_password(*, user: User, raw: str, now: datetime) -> None:
    """Store `raw` hashed, or switch USER orders off if it is empty. Raises InvalidMailPassword."""
    if raw:
        check_mail_password_fitness(user=user, raw=raw)
    user.mail_password = make_password(raw) if raw else ""
    user.save(update_fields=["mail_password"])
    touch_activity(user=user, now=now)


def check_mail_password(*, user: User | None, raw: str, sender: str = "") -> bool:
    """Return whether `raw` is `user`'s mail password; always False while it is switched off, and for no user (None).

    `sender` is the address the email came from, which counts as its network. Anyone can write any sender on an email,
    so senders that are not the user's own are also limited together. Raises TooManyAttempts after too many failures,
    even for the right password.
    """
    network, name = sender.strip().lower(), str(user.pk) if user is not None else ""
    strangers = () if user is not None and _is_own(user, network) else (name, EVERYBODY)
    BY_MAIL.check(network=network, name=name)
    BY_STRANGERS.check(*strangers[:1])
    BY_ALL_STRANGERS.check(*strangers[1:])
    if user is not None and user.is_active and user.mail_password and check_password(raw, user.mail_password):
        BY_MAIL.forget(network=network, name=name)
        return True
    BY_MAIL.count(network=network, name=name)
    BY_STRANGERS.count(*strangers[:1])
    BY_ALL_STRANGERS.count(*strangers[1:])
    return False


def _is_own(user: User, sender: str) -> bool:
    """Return whether an email claims a verified address of the user, whatever follows the +."""
    return _strip_detail(sender) in {_strip_detail(one.email) for one in list_addresses_of(user) if one.verified}


def _strip_detail(address: str) -> str:
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


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
