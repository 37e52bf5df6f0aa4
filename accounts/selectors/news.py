"""What there is to tell a user on their home page."""

from datetime import datetime
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Exists

from accounts.models import User
from accounts.selectors.ties import list_fallen_of_followed
from notifications.selectors.notices import list_messages


class News(NamedTuple):
    """Whether a user has an email address and a confirmed one, got messages, and follows users whose mages died."""

    has_address: bool
    has_confirmed_address: bool
    has_messages: bool
    has_fallen: bool


def find_news(user: User, *, since: datetime) -> News:
    """Return what is new since then, in one query: most users have neither messages nor fallen mages to read."""
    addresses = EmailAddress.objects.filter(user=user)
    found = User.objects.filter(pk=user.pk).values_list(
        Exists(addresses),
        Exists(addresses.filter(verified=True)),
        Exists(list_messages(user.pk, since=since)),
        Exists(list_fallen_of_followed(user, since=since)),
    )
    return News(*found.get())
