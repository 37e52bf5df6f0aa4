"""Looking up users and mages by name."""

import difflib

from django.db.models.functions import Lower

from accounts.errors import NoSuchMage
from accounts.models import Mage, Name, User
from accounts.reserved_words import GUEST_START
from accounts.selectors.users import list_mages_of


def find_user(name: str) -> User | None:
    """Return the user with that name, ignoring case, or None."""
    return User.objects.alias(key=Lower("username")).filter(key=name.strip().lower()).first()


def find_renamed_user(name: str) -> User | None:
    """Return the user who had that name and has another one now, ignoring case, or None; nobody for the name of a user
    who has left."""
    had = Name.objects.select_related("owner").filter(key=name.strip().lower(), kind=Name.Kind.USER).first()
    if had is None or not had.owner.is_active or had.owner.username.lower() == had.key:
        return None
    return had.owner


def list_namesakes(user: User) -> list[Mage]:
    """Return the user's mages, alive or dead, whose name is or was the user's own too."""
    keys = Name.objects.filter(owner=user, kind=Name.Kind.USER).values("key")
    return list(Mage.objects.alias(key=Lower("name")).filter(user=user, key__in=keys))


def find_owner(name: str) -> User | None:
    """Return the user with that name or with a mage of that name, ignoring case, or None."""
    user = find_user(name)
    if user is not None:
        return user
    mage = find_mage(name)
    return mage.user if mage else None


def find_nearest_name(text: str) -> str | None:
    """Return the name of a user or living mage closest to `text`, or None."""
    start = text.strip()[:1]
    users = User.objects.filter(username__istartswith=start, is_active=True).values_list("username", flat=True)[:500]
    mages = Mage.objects.filter(name__istartswith=start, died_at=None).values_list("name", flat=True)[:500]
    nearest = difflib.get_close_matches(text.strip().capitalize(), {*users, *mages}, n=1)
    return nearest[0] if nearest else None


def was_guest(user: User, name: str) -> bool:
    """Return whether the user had this name as a guest. A page that was open when they kept their mage still sends
    it."""
    key = name.strip().lower()
    return key.startswith(GUEST_START) and Name.objects.filter(key=key, owner=user).exists()


def find_mage(name: str) -> Mage | None:
    """Return the mage with that name, alive or dead, ignoring case, with their user and engagement, or None."""
    found = Mage.objects.select_related("user", "engagement").alias(key=Lower("name"))
    return found.filter(key=name.strip().lower()).first()


def get_mage_for_user(*, user: User, name: str) -> Mage:
    """Return `user`'s mage with that name. Raises NoSuchMage with the user's nearest mage."""
    mage = find_mage(name)
    if mage is not None and mage.user_id == user.pk:
        return mage
    own = {mage.name.lower(): mage.name for mage in list_mages_of(user)}
    nearest = difflib.get_close_matches(name.lower(), own, n=1)
    code = "not_your_mage" if mage else "no_such_mage" if name.strip() else "no_mage_named"
    raise NoSuchMage(code, name=mage.name if mage else name, nearest=own[nearest[0]] if nearest else None)
