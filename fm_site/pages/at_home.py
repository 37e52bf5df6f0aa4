"""Which parts of a user's home page have anything to read."""

from datetime import datetime
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Exists, QuerySet

from accounts.models import User
from accounts.selectors.absence import list_current_vacations
from accounts.selectors.news import list_all_news
from challenges.selectors.lists import list_open_seats
from league.selectors.current_places import list_current_places
from operations.database.prepared_query import PreparedQuery


class AtHome(NamedTuple):
    """Whether a user has an email address and a confirmed one, is on vacation, has news (be it only about users of
    whom they are told nothing), a seat in an open challenge, and a place in the league or a cup."""

    has_address: bool
    has_confirmed_address: bool
    is_on_vacation: bool
    has_news: bool
    has_seat: bool
    has_place: bool


def find_what_is_at_home(user: User, *, now: datetime) -> AtHome:
    """Return which parts of the home page have anything to read, in one query."""
    return AtHome(*_read_home(user=user.pk, now=now)[0])


@PreparedQuery
def _read_home(user: int, now: datetime) -> "QuerySet[User, tuple[bool, ...]]":
    addresses = EmailAddress.objects.filter(user=user)
    return User.objects.filter(pk=user).values_list(
        Exists(addresses),
        Exists(addresses.filter(verified=True)),
        Exists(list_current_vacations(user, now=now)),
        Exists(list_all_news(user)),
        Exists(list_open_seats(user)),
        Exists(list_current_places(user)),
    )
