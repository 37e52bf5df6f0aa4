"""Messages and announcements of players that came by email, which reveal no addresses."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.errors import AccountRefused
from accounts.models import User
from accounts.selectors.messages import find_closed_to_bots
from accounts.selectors.ties import find_users_apart_from
from accounts.services.messages import PER_DAY, send_message
from duels.models import Battle
from duels.names import listed
from email_gateway.errors import OrderRejected
from email_gateway.scrub import hide_reply_addresses
from notifications.services.outbox import write_notice
from operations.errors import TooManyAttempts
from operations.text.invisible_characters import mark_hidden


def relay_message(*, writer: User, readers: Mapping[str, User], text: str, now: datetime, mage: str = "") -> list[str]:
    """Send a message that came by email to each of these users, by the names that the writer called them; return
    sentences that say who gets it, and who doesn't and why. Raises OrderRejected if nobody does."""
    reached, reasons = [], []
    seen: set[int] = set()
    for name, reader in readers.items():
        if reader.pk not in seen:
            seen.add(reader.pk)
            once = secrets.token_hex(8)  # the same email is processed once
            try:
                send_message(
                    writer=writer,
                    reader=reader,
                    text=text,
                    once=once,
                    channel="email",
                    mage=mage,
                    named=name,
                    now=now,
                )
            except AccountRefused as error:
                reasons.append(str(error))
                continue
            reached.append(name)
    reasons = list(dict.fromkeys(reasons))
    if not reached:
        raise OrderRejected(" ".join(reasons))
    return [_("Your message goes to %(names)s.") % {"names": listed(reached)}, *reasons]


def relay_announcement(*, user: User, battles: Sequence[Battle], text: str, now: datetime) -> list[str]:
    """Notify everyone with a mage in one of the battles, the writer too; return sentences that say who gets it, and
    who doesn't because of a block. Raises OrderRejected."""
    players = User.objects.filter(mages__combatants__battle__in=battles, is_active=True).distinct().order_by("pk")
    apart = blocks = find_users_apart_from([user.pk])
    if user.is_bot:
        apart |= {each.pk for each in find_closed_to_bots(players)}
    facts = {
        "user": user.username,
        "battles": [battle.number for battle in battles],
        "text": mark_hidden(hide_reply_addresses(text)),
    }
    recipients = [player for player in players if player.pk not in apart]
    mark = secrets.token_hex(8)
    for player in recipients:
        try:
            PER_DAY.check(str(user.pk))
        except TooManyAttempts as error:
            raise OrderRejected(_("You have written to too many players today. Write again tomorrow.")) from error
        PER_DAY.count(str(user.pk))
        key = f"announcement:{mark}:{player.pk}"
        write_notice(key=key, user=player, kind="announcement", facts=facts, about=[user.pk], now=now)
    numbers = listed([str(battle.number) for battle in battles])
    told = [_("Your announcement goes to everyone in battle %(numbers)s.") % {"numbers": numbers}]
    if left_out := [player.username for player in players if player.pk in blocks]:
        told.append(_("It does not go to %(names)s: there is a block between you.") % {"names": listed(left_out)})
    return told
