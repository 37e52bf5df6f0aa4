"""Whose bot is whose: accounts with the same mailbox belong to one owner."""

from collections.abc import Iterable

from allauth.account.models import EmailAddress

from accounts.models import User
from league.models import Cup, Place


def find_other_bot_of_owner(cup: Cup, user: User) -> Place | None:
    """Return the place in a round robin of another bot with the same owner, if there is one.

    An owner is known by the mailboxes that their accounts have confirmed: me+first@example.org and
    me+second@example.org are one. Accounts of one person that janitors have merged are one account anyway. None in the
    cups of people.
    """
    if not cup.is_round_robin:
        return None
    places = {place.user_id: place for place in cup.places.select_related("user").exclude(user=user).order_by("pk")}
    mailboxes = _read_mailboxes([user.pk, *places])
    own = mailboxes.get(user.pk, set())
    return next((place for pk, place in places.items() if own & mailboxes.get(pk, set())), None)


def _read_mailboxes(users: Iterable[int]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    addresses = EmailAddress.objects.filter(user__in=list(users), verified=True)
    for user, address in addresses.values_list("user_id", "email"):
        found.setdefault(user, set()).add(name_mailbox(address))
    return found


def name_mailbox(address: str) -> str:
    """Return the address of the mailbox that an address leads to: in small letters, and without a +detail."""
    local, _at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
