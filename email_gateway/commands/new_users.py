"""New users by email: first a request, then a user once the address has confirmed it, by CONFIRM or by a link."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import AccountsError, AddressTaken, InvalidMailPassword, InvalidName
from accounts.models import Name, User
from accounts.names import check_name
from accounts.services.mail_passwords import set_mail_password
from accounts.services.users import create_user
from email_gateway.addresses import is_one_address
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from email_gateway.models import CONFIRM_WITHIN, NewUserRequest
from email_gateway.text.order_forms import write_form
from email_gateway.text.senders import plain_sender
from operations.encryption import seal, unseal

TAKEN = gettext_lazy("This address already belongs to a user.")
MOST_REQUESTS = 3
CONFIRM_SALT = "email_gateway.confirm"


def request_newuser(*, name: str, password: str, address: str, now: datetime) -> NewUserRequest:
    """Store this address's request for a user. Raises OrderRejected; creates no user."""
    try:
        written = check_name(name, kind=Name.Kind.USER)
    except InvalidName as error:
        nearest = f"NEWUSER {error.nearest} <mail password>" if error.nearest else None
        reason = " ".join(problem.message for problem in error.problems)
        raise OrderRejected(reason, nearest=nearest, clause="FM-ORDUSR-1") from error
    if not is_one_address(address):
        raise OrderRejected(_("We cannot write to the address that your email came from."))
    reject_unfit_password(written, password)
    reject_known_address(address)
    if NewUserRequest.objects.filter(address=address, created_at__gt=now - timedelta(days=1)).count() >= MOST_REQUESTS:
        raise OrderRejected(
            _("Several accounts have already been requested with this address today. Confirm one of them.")
        )
    return NewUserRequest.objects.create(name=written, address=address, sealed=seal({"raw": password}), created_at=now)


def reject_unfit_password(name: str, password: str) -> None:
    try:
        validate_password(password, User(username=name))
    except ValidationError as error:
        raise OrderRejected(" ".join(error.messages), nearest=f"NEWUSER {name} <longer mail password>") from error
    if not password.isascii():
        raise OrderRejected(
            _("A mail password can contain only ASCII letters, digits and symbols."), clause="FM-ORDGEN-12"
        )


def reject_known_address(address: str) -> None:
    if EmailAddress.objects.filter(email__iexact=address, verified=True).exists():
        raise OrderRejected(str(TAKEN), clause="FM-ORDGEN-4")


def is_from_asker(*, request_id: int, sender: str) -> bool:
    address = NewUserRequest.objects.filter(pk=request_id).values_list("address", flat=True).first()
    return address is not None and plain_sender(address) == plain_sender(sender)


def confirm_newuser(*, request_id: int, now: datetime) -> tuple[User, list[str]]:
    """Create the requested user; return it with the sentences for the answer. Raises OrderRejected.

    CONFIRM from the address, or the link sent there, proves ownership. A second confirmation changes nothing.
    """
    with transaction.atomic():
        claimed = NewUserRequest.objects.filter(
            pk=request_id, confirmed_at=None, created_at__gt=now - CONFIRM_WITHIN
        ).update(confirmed_at=now)
        request = NewUserRequest.objects.filter(pk=request_id).first()
        if not claimed or request is None:
            done = request is not None and request.user_id is not None
            raise OrderRejected(
                _("Your account already exists.") if done else _("This NEWUSER has expired. Send it again.")
            )
        reject_known_address(request.address)
        try:
            user = create_user(name=request.name, email=request.address, email_verified=True, now=now)
        except AddressTaken as error:  # verified by another email in the meantime
            raise OrderRejected(str(TAKEN), clause="FM-ORDGEN-4") from error
        except AccountsError as error:
            raise OrderRejected(str(error), nearest="NEWUSER <other name> <mail password>") from error
        sentences = [
            _("You are now %(user)s.") % {"user": user.username},
            _("What to do next (replace the examples with your own names):")
            + write_form(f"\n  USER {user.username} <mail password>\n  REGISTER <mage>\n  CHALLENGES"),
        ]
        try:
            set_mail_password(user=user, raw=unseal(request.sealed)["raw"], now=now)
        except InvalidMailPassword as error:
            sentences.append(_("Your mail password is not set: %(error)s") % {"error": error})
        request.user, request.sealed = user, ""
        request.save(update_fields=["user", "sealed"])
    return user, sentences


def forget_expired_requests(*, now: datetime) -> int:
    """Delete requests that nobody has confirmed; return how many."""
    expired = NewUserRequest.objects.filter(confirmed_at=None, created_at__lte=now - CONFIRM_WITHIN).exclude(sealed="")
    return expired.update(sealed="")


def write_confirm_link(request_id: int) -> str:
    return link_to("email_gateway:confirm", signing.dumps(request_id, salt=CONFIRM_SALT))


def read_confirm_token(token: str) -> int | None:
    """Return the request of a link, or None if the link is not ours."""
    try:
        return int(signing.loads(token, salt=CONFIRM_SALT))
    except (signing.BadSignature, ValueError, TypeError):
        return None
