"""Messages between players, which reveal no addresses."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import Mage, User
from accounts.selectors.ties import find_users_apart_from, list_blocked_by
from duels.models import Battle
from duels.names import listed
from email_gateway.errors import OrderRejected
from email_gateway.scrub import hide_reply_addresses
from notifications.selectors.notices import address_for_notices, find_choices, wants_mail
from notifications.services.outbox import write_notice
from operations.errors import TooManyAttempts
from operations.text.invisible_characters import mark_hidden
from operations.web.throttle import Throttle

# Messages a day, counted once for each reader.
PER_DAY = Throttle("messages", limit=60, seconds=24 * 3600)


def relay_message(
    *, mage: Mage, recipients: Iterable[User], named: Sequence[str], text: str, now: datetime, once: str = ""
) -> frozenset[User]:
    """Notify each recipient of a message from the owner of `mage`; return those who can't be reached or don't want
    messages.

    Recipients who block the writer get nothing, and the writer isn't notified. Raises OrderRejected if the writer
    blocks one of them or has reached today's limit. `once` identifies the message: nobody gets the same one twice.
    """
    users = sorted(set(recipients), key=lambda user: user.pk)
    blocked = set(list_blocked_by(mage.user)) & set(users)
    if blocked:
        names = listed([user.username for user in users if user in blocked])
        raise OrderRejected(_("You block %(names)s. Unblock them to write to them.") % {"names": names})
    unreached = frozenset(user for user in users if not address_for_notices(user) or not wants_mail(user, "message"))
    if mage.user.is_bot:
        unreached |= find_closed_to_bots(users)
    apart = find_users_apart_from([mage.user_id])
    facts = {"mage": mage.name, "named": list(named), "text": mark_hidden(hide_reply_addresses(text))}
    _notify(
        [user for user in users if user not in unreached and user.pk not in apart],
        "message",
        facts,
        mage.user,
        now,
        f"{mage.user_id}.{once}" if once else secrets.token_hex(8),
    )
    return unreached


def relay_announcement(*, user: User, battles: Sequence[Battle], text: str, now: datetime) -> None:
    """Notify everyone with a mage in one of the battles, the writer too. Raises OrderRejected."""
    players = User.objects.filter(mages__combatants__battle__in=battles, is_active=True).distinct().order_by("pk")
    apart = find_users_apart_from([user.pk])
    if user.is_bot:
        apart |= {each.pk for each in find_closed_to_bots(players)}
    facts = {
        "user": user.username,
        "battles": [battle.number for battle in battles],
        "text": mark_hidden(hide_reply_addresses(text)),
    }
    recipients = [player for player in players if player.pk not in apart]
    _notify(recipients, "announcement", facts, user, now, secrets.token_hex(8))


def find_closed_to_bots(users: Iterable[User]) -> frozenset[User]:
    """Return the people among these users who have not allowed bots to write to them."""
    people = {user.pk: user for user in users if not user.is_bot}
    return frozenset(people[pk] for pk, choice in find_choices(people, "bots_write").items() if choice != "yes")


def _notify(
    users: Sequence[User], kind: str, facts: Mapping[str, object], writer: User, now: datetime, mark: str
) -> None:
    for user in users:
        try:
            PER_DAY.check(str(writer.pk))
        except TooManyAttempts as error:
            raise OrderRejected(_("You have written to too many players today. Write again tomorrow.")) from error
        PER_DAY.count(str(writer.pk))
        write_notice(key=f"{kind}:{mark}:{user.pk}", user=user, kind=kind, facts=facts, about=[writer.pk], now=now)
