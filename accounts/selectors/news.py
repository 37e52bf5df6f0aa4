"""What there is to tell a user on their home page."""

from datetime import datetime
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Exists, QuerySet

from accounts.models import User
from accounts.selectors.ties import list_fallen_of_followed
from notifications.selectors.notices import list_messages
from operations.database.prepared_query import PreparedQuery


class News(NamedTuple):
    """Whether a user has an email address and a confirmed one, got messages, and follows users whose mages died."""

    has_address: bool
    has_confirmed_address: bool
    has_messages: bool
    has_fallen: bool


def find_news(user: User, *, since: datetime) -> News:
    """Return what is new since then, in one query: most users have neither messages nor fallen mages to read."""
    return News(*_read_news(user=user.pk, since=since)[0])


@PreparedQuery
def _read_news(user: int, since: datetime) -> "QuerySet[User, tuple[Any, ...]]":
    addresses = EmailAddress.objects.filter(user=user)
    return User.objects.filter(pk=user).values_list(
        Exists(addresses),
        Exists(addresses.filter(verified=True)),
        Exists(list_messages(user, since=since)),
        Exists(list_fallen_of_followed(user, since=since)),
    )
