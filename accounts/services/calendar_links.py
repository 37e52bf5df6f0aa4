"""The secret link of a user's calendar: shown once, stored as a hash. A new one ends the old one."""

import secrets
from datetime import datetime

from django.db import transaction

from accounts.models import CalendarLink, User
from accounts.secret_hash import hash_secret


def renew_calendar_link(*, user: User, now: datetime) -> str:
    """Return the secret of a new link, which nobody can see again; an old link ends."""
    text = secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        CalendarLink.objects.update_or_create(user=user, defaults={"hash": hash_secret(text), "made_at": now})
    return text


def remove_calendar_link(*, user: User) -> bool:
    """End the user's link; return whether there was one."""
    return CalendarLink.objects.filter(user=user).delete()[0] > 0


def find_calendar_user(*, secret: str) -> User | None:
    """Return the active user whose link has this secret, or None."""
    link = CalendarLink.objects.filter(hash=hash_secret(secret), user__is_active=True).select_related("user").first()
    return link.user if link else None
