"""Turning a guest into a user."""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from accounts.errors import NotAGuest
from accounts.models import Mage, Name, User
from accounts.names import check_name, refuse_taken
from accounts.services.users import set_language
from notifications.services.preferences import set_preference


def turn_guest_into_user(
    *,
    user: User,
    name: str,
    mage_name: str,
    email: str,
    password: str | None,
    time_zone: str = "",
    language: str = "",
    now: datetime,
) -> tuple[str, str]:
    """Give the guest `user` a name, an address to confirm and a password, and their mage a name of its own, unless they
    chose one before. The user may then have the name of their mage.

    Returns the mage's old and new name; the caller updates it everywhere else, in the same transaction.
    Without a password the user logs in with emailed codes. This happens once: raises NotAGuest if `user` is not a guest
    any more. Raises InvalidName, NameTaken.
    """
    address = email.strip().lower()
    with transaction.atomic():
        if not User.objects.filter(pk=user.pk, is_guest=True, is_active=True).update(is_guest=False):
            raise NotAGuest("not_a_guest")
        mage = Mage.objects.select_for_update(of=("self",)).get(user=user)
        old = mage.name
        own = Name.objects.filter(owner=user, kind=Name.Kind.MAGE, key=old.lower())
        if not own.exists():
            written = check_name(name, kind=Name.Kind.USER)
            _claim(user, written, Name.Kind.USER, now)
            new = check_name(mage_name, kind=Name.Kind.MAGE, user=user)
            if new.lower() != written.lower():
                _claim(user, new, Name.Kind.MAGE, now)
        elif name.strip().lower() == old.lower():
            new = written = old
            own.update(kind=Name.Kind.USER)
        else:
            new, written = old, check_name(name, kind=Name.Kind.USER)
            _claim(user, written, Name.Kind.USER, now)
        Mage.objects.filter(pk=mage.pk).update(name=new)
        user.username, user.email, user.is_guest = written, address, False
        user.set_password(password)
        user.save(update_fields=["username", "email", "is_guest", "password"])
        if address:
            EmailAddress.objects.create(user=user, email=address, primary=True, verified=False)
        if time_zone:
            set_preference(user=user, key="time_zone", value=time_zone)
        if language:
            set_language(user=user, language=language)
    return old, new


def _claim(user: User, written: str, kind: str, now: datetime) -> None:
    try:
        with transaction.atomic():
            Name.objects.create(key=written.lower(), written=written, kind=kind, owner=user, created_at=now)
    except IntegrityError as error:
        raise refuse_taken(written, written, kind=kind, user=user) from error
