"""Composing what is due, and handing each email to deliver: deliver knows none of the texts."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import structlog

from accounts.languages import in_language_of
from email_gateway.compose.battle_mail import Earlier
from email_gateway.compose.challenge_mail import ASKING
from email_gateway.compose.deadline_mail import HEADINGS
from email_gateway.compose.digest import compose_digest
from email_gateway.compose.notices import compose_notice
from email_gateway.deliver import send
from email_gateway.deliver.mail import Mail, make_message
from email_gateway.deliver.send import keep_copy, send_answer
from email_gateway.errors import NothingToSend, Unsendable
from email_gateway.selectors import list_due_outbound
from fm_site.notifications.models import Delivery, Notice
from fm_site.notifications.preferences import PROVING_KINDS
from fm_site.notifications.presence import has_read_since
from fm_site.notifications.selectors import (
    address_for_delivery,
    facts_of_delivery,
    find_last_message_id,
    preferences_of,
)
from fm_site.notifications.services import (
    claim_due_deliveries,
    claim_due_digest,
    keep_frozen_mail,
    mark_delivery_failed,
    mark_delivery_sent,
    read_frozen_mail,
)
from fm_site.operations.sealing import InvalidToken

log = structlog.get_logger(__name__)
AT_ONCE = 50
READ_ON_THE_PAGE = ("turn_resolved", "stage_asked", "battle_finished")
# What these ask for may be done before they go out; then they do not.
SETTLED_MEANWHILE = (*HEADINGS, *ASKING)
TOLD_OF_BATTLES = ("battle_started", *READ_ON_THE_PAGE)


def deliver_due(*, now: datetime, most: int = AT_ONCE) -> int:
    """Send answers and notices that are due, up to `most` of each; return how many there were.

    May run anywhere, any number of times. A claim lasts for minutes only, so callers that send to a slow mail
    server claim one at a time.
    """
    answers = [
        send_answer(mail_id=pk, now=now) for pk in list_due_outbound(now=now).values_list("pk", flat=True)[:most]
    ]
    deliveries = claim_due_deliveries(now=now, limit=most)
    for delivery in deliveries:
        send_delivery(delivery=delivery, now=now)
    digest = claim_due_digest(now=now)
    if digest:
        send_deliveries(deliveries=digest, now=now)
    return len(answers) + len(deliveries) + len(digest)


def deliver_proofs(*, now: datetime, most: int = AT_ONCE) -> int:
    """As `deliver_due`, for the codes and links that prove who somebody is: during maintenance nothing else is sent."""
    deliveries = claim_due_deliveries(now=now, limit=most, kinds=PROVING_KINDS)
    for delivery in deliveries:
        send_delivery(delivery=delivery, now=now)
    return len(deliveries)


def send_delivery(*, delivery: Delivery, now: datetime) -> None:
    """Compose and send a claimed delivery."""
    send_deliveries(deliveries=[delivery], now=now)


def send_deliveries(*, deliveries: Sequence[Delivery], now: datetime) -> None:
    """Compose and send claimed deliveries of one user as one email: one, or all of a daily email."""
    first = deliveries[0]
    address = address_for_delivery(first)
    try:
        if not address:
            raise NothingToSend("there is no address to write to")
        mail = read_delivery(deliveries)
        send.send_message(make_message(mail, to=address, message_id=first.message_id), address, now)
    except (NothingToSend, Unsendable, InvalidToken) as error:
        for delivery in deliveries:
            mark_delivery_failed(delivery=delivery, error=str(error) or type(error).__name__, now=now, permanent=True)
    except Exception as error:  # one mail that cannot be written must not keep the others waiting
        # The type alone: the message of an error may repeat a code or link of the mail.
        log.error("mail not sent", delivery=first.pk, kind=first.notice.kind, error=type(error).__name__)
        for delivery in deliveries:
            mark_delivery_failed(delivery=delivery, error=type(error).__name__, now=now)
    else:
        keep_copy(first, mail, address, now)
        for delivery in deliveries:
            mark_delivery_sent(delivery=delivery, now=now)


def read_delivery(deliveries: Sequence[Delivery]) -> Mail:
    """Return the mail of claimed deliveries of one user: what was written out with the notice, or with an attempt
    before this one. Only where nothing was is it written now, and that stays what it says. Raises NothingToSend, also
    for what its reader has seen on the page and for what is settled meanwhile."""
    first = deliveries[0]
    frozen = read_frozen_mail(delivery=first)
    if first.channel != Delivery.Channel.MAIL:
        return Mail.from_json(frozen or keep_frozen_mail(delivery=first, text=write_digest(deliveries).to_json()))
    if is_read(first):
        raise NothingToSend("seen on the page")
    if not frozen or first.notice.kind in SETTLED_MEANWHILE:
        written = write_delivery(first).to_json()
        frozen = frozen or keep_frozen_mail(delivery=first, text=written)
    return Mail.from_json(frozen)


def write_notice_out(notice: Notice, facts: Mapping[str, Any]) -> str:
    """Return the mail for a notice as things stand, as text; "" where there is nothing to send."""
    try:
        return compose_threaded(notice, facts).to_json()
    except NothingToSend:
        return ""


def write_delivery(delivery: Delivery, earlier: Sequence[Delivery] = ()) -> Mail:
    """Return the mail for one notice, which tells of these `earlier` turns of its battle too. Raises NothingToSend,
    also when its reader has seen on the page what it says."""
    if is_read(delivery):
        raise NothingToSend("seen on the page")
    told = [(one.notice.kind, one.notice.facts) for one in earlier]
    return compose_threaded(delivery.notice, facts_of_delivery(delivery), told)


def compose_threaded(notice: Notice, facts: Mapping[str, Any], earlier: Sequence[Earlier] = ()) -> Mail:
    """Return the mail for a notice, as an answer to the one before it where they are about one battle."""
    mail = compose_notice(kind=notice.kind, facts=facts, user=notice.user, earlier=earlier)
    if not mail.thread.startswith("battle."):
        return mail
    return replace(mail, in_reply_to=find_last_message_id(notice, f"battle/{notice.facts['battle']}/"))


def is_read(delivery: Delivery) -> bool:
    """Tell whether the reader has seen the battle since, and wants no email then."""
    notice = delivery.notice
    if notice.kind not in READ_ON_THE_PAGE or not has_read_since(notice.user_id, notice.facts, notice.created_at):
        return False
    return preferences_of(notice.user)["mail_quiet"] == "yes"


def write_digest(deliveries: Sequence[Delivery]) -> Mail:
    """Return one mail for all that happened in a day. Raises NothingToSend."""
    mails, count = [], 0
    for together in group_by_battle(deliveries):
        with contextlib.suppress(NothingToSend):
            *earlier, newest = together
            turns = [one for one in earlier if one.notice.kind != "stage_asked" and not is_read(one)]
            mails.append(write_delivery(newest, turns))
            count += len(turns) + 1
    if not mails:
        raise NothingToSend("nothing of it is left to tell")
    user = deliveries[0].notice.user
    with in_language_of(user):
        return compose_digest(mails, count=count, user=user)


def group_by_battle(deliveries: Sequence[Delivery]) -> list[list[Delivery]]:
    """Put together what is told of one battle, in the order of the news that came last; all else stands alone."""
    groups: dict[object, list[Delivery]] = {}
    for delivery in deliveries:
        battle = delivery.notice.facts.get("battle") if delivery.notice.kind in TOLD_OF_BATTLES else None
        key = delivery.pk if battle is None else f"battle {battle}"
        groups[key] = [*groups.pop(key, []), delivery]
    return list(groups.values())
