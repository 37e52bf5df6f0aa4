"""Composes due emails and hands them to `deliver`, which does not depend on texts."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event, Thread
from time import monotonic
from typing import Any

import structlog
from django.db import DatabaseError, connection
from django.db.models import Q

from accounts.languages import in_language_of
from email_gateway.addresses import name_token, read_token
from email_gateway.compose.battle_mail import Earlier
from email_gateway.compose.digest import compose_digest
from email_gateway.compose.notices import compose_notice
from email_gateway.compose.room_mail import merge_talk
from email_gateway.deliver import send
from email_gateway.deliver.mail import Mail, make_message
from email_gateway.errors import NothingToSend, Unsendable
from email_gateway.text.webtext import read_web_text
from notifications.kinds import KINDS, TURN_STORIES
from notifications.models import Delivery, Notice, SkipReason
from notifications.recent_reading import has_read_since
from notifications.selectors.notices import (
    address_for_delivery,
    facts_with_secrets,
    find_last_message_id,
    preferences_of,
)
from notifications.services.deliveries import (
    claim_email,
    extend_claim,
    list_due_emails,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_delivery_skipped,
    read_frozen_mail,
    store_frozen_mail,
)
from operations.encryption import InvalidToken
from operations.metrics import MAIL_OUT

log = structlog.get_logger(__name__)
AT_ONCE = 50
SECONDS = 20
# How often a sender extends its claim to the email that it is sending, and for how long.
EXTENDED_EVERY, LONGEST_SENDING = timedelta(seconds=8), timedelta(minutes=5)
# The kinds that prove identity, that a stopped address gets too, and that are composed again when they are sent.
PROVING = [kind.name for kind in KINDS.values() if kind.proves]
UNSTOPPED = {kind.name for kind in KINDS.values() if kind.ignores_stop}
SETTLED = {kind.name for kind in KINDS.values() if kind.may_be_settled}
GROUPED_BY_BATTLE = ("battle_started", *TURN_STORIES)


def deliver_due(*, now: datetime, most: int = AT_ONCE) -> int:
    """Send answers and notices that are due, up to `most` emails of each; return how many there were.

    May run anywhere, any number of times. Each email is claimed when its turn comes, because a claim lasts only
    minutes and the mail server may be slow; after SECONDS, the rest is left for the next run.
    """
    return sum(deliver_some(among, now, most) for among in (Q(notice=None), Q(notice__isnull=False)))


def deliver_proofs(*, now: datetime, most: int = AT_ONCE) -> int:
    """Like `deliver_due`, for codes and links that prove identity: nothing else is sent during maintenance."""
    return deliver_some(Q(notice__kind__in=PROVING), now, most)


def deliver_some(among: Q, now: datetime, most: int) -> int:
    """Send up to `most` due emails `among` all deliveries, for at most SECONDS; return how many were sent."""
    started, sent = monotonic(), 0
    for message_id in list_due_emails(now=now, limit=most, among=among & Delivery.EMAILS):
        elapsed = monotonic() - started
        if elapsed > SECONDS:
            break
        moment = now + timedelta(seconds=elapsed)
        deliveries = claim_email(message_id=message_id, now=moment)
        if deliveries:
            send_deliveries(deliveries=deliveries, now=moment)
            sent += 1
    return sent


def send_deliveries(*, deliveries: Sequence[Delivery], now: datetime) -> None:
    """Send claimed deliveries as one email: one, or all of a user's daily email. The email of a notice is composed
    if it doesn't exist yet."""
    started = monotonic()
    first, *others = deliveries
    address = address_for_delivery(first)
    try:
        if not address:
            raise NothingToSend(SkipReason.NO_ADDRESS)
        if is_stopped(first):
            raise NothingToSend(SkipReason.STOPPED)
        mail = read_mail(deliveries)
        message = make_message(mail, to=address, message_id=first.message_id)
        if not extend_claim(delivery=first, now=now + timedelta(seconds=monotonic() - started)):
            return  # this sender was asleep, and another one has the email
        with extending_claim(first, now, started):
            send.send_message(message, address, now)
    except NothingToSend as skipped:
        for delivery in deliveries:
            mark_delivery_skipped(delivery=delivery, reason=skipped.reason)
    except (Unsendable, InvalidToken) as error:
        for delivery in deliveries:
            mark_delivery_failed(delivery=delivery, error=str(error) or type(error).__name__, now=now, permanent=True)
        MAIL_OUT.labels(outcome="failed").inc()
    except Exception as error:  # one email that cannot be written must not delay the others
        # Only the type: an error's message may repeat a code or link of the email.
        kind = first.notice.kind if first.notice else "answer"
        log.error("mail not sent", delivery=first.pk, kind=kind, error=type(error).__name__)
        for delivery in deliveries:
            mark_delivery_failed(delivery=delivery, error=type(error).__name__, now=now)
        MAIL_OUT.labels(outcome="failed").inc()
    else:
        MAIL_OUT.labels(outcome="sent").inc()
        copy = {} if mail.secret else {"text": mail.text, "web_text": read_web_text(mail.html)}
        mark_delivery_sent(
            delivery=first, address=address, subject=mail.subject, reply_key=find_reply_key(mail), now=now, **copy
        )
        for delivery in others:
            mark_delivery_sent(delivery=delivery, now=now)


@contextmanager
def extending_claim(delivery: Delivery, now: datetime, started: float) -> Iterator[None]:
    """Extend the claim to the email of `delivery` while the block runs, however slowly the mail server answers, for at
    most LONGEST_SENDING. It was `now` at `started` by the monotonic clock. The claim ends soon if this process dies."""
    sent = Event()

    def extend() -> None:
        while not sent.wait(EXTENDED_EVERY.total_seconds()):
            passed = timedelta(seconds=monotonic() - started)
            if passed > LONGEST_SENDING:
                return
            try:
                extend_claim(delivery=delivery, now=now + passed)
            except DatabaseError as error:  # it is tried again
                log.warning("claim not extended", delivery=delivery.pk, error=type(error).__name__)
            finally:
                connection.close()

    Thread(target=extend, name="claim", daemon=True).start()
    try:
        yield
    finally:
        sent.set()


def is_stopped(delivery: Delivery) -> bool:
    """Return whether this is the email for a notice to a user whom our email doesn't reach, or who doesn't want it."""
    notice = delivery.notice
    return notice is not None and notice.kind not in UNSTOPPED and notice.user.is_email_stopped


def find_reply_key(mail: Mail) -> str:
    """Return the contents of the email's signed reply address, without the signature; "" if it has the common one."""
    token = read_token(mail.reply_to.partition("@")[0])
    return name_token(token) if token is not None else ""


def read_mail(deliveries: Sequence[Delivery]) -> Mail:
    """Return the email of claimed deliveries: as written with the row, or by an earlier attempt.

    An email without a text yet is composed now, and keeps that text. Raises NothingToSend, also if its reader has seen
    the news on the page or has done what it asks for.
    """
    first = deliveries[0]
    notices = [delivery.notice for delivery in deliveries if delivery.notice is not None]
    frozen = read_frozen_mail(delivery=first)
    if first.channel == Delivery.Channel.DIGEST:
        return Mail.from_json(frozen or store_frozen_mail(delivery=first, text=write_digest(notices).to_json()))
    for notice in notices:
        if is_read(notice):
            raise NothingToSend(SkipReason.SEEN)
        if not frozen or notice.kind in SETTLED:
            written = compose_threaded(notice, facts_with_secrets(notice)).to_json()
            frozen = frozen or store_frozen_mail(delivery=first, text=written)
    return Mail.from_json(frozen)


def render_notice(notice: Notice, facts: Mapping[str, Any]) -> str:
    """Return the email for a notice in the current state, as text; "" if there is nothing to send."""
    try:
        return compose_threaded(notice, facts).to_json()
    except NothingToSend:
        return ""


def compose_threaded(notice: Notice, facts: Mapping[str, Any], earlier: Sequence[Earlier] = ()) -> Mail:
    """Return the email for a notice, as a reply to the one before it if both are about one battle."""
    mail = compose_notice(kind=notice.kind, facts=facts, user=notice.user, earlier=earlier)
    if not mail.thread.startswith("battle."):
        return mail
    return replace(mail, in_reply_to=find_last_message_id(notice, f"battle/{notice.facts['battle']}/"))


def is_read(notice: Notice) -> bool:
    """Return whether the reader has seen the battle since, and wants no email in that case."""
    if notice.kind not in TURN_STORIES or not has_read_since(notice.user_id, notice.facts, notice.created_at):
        return False
    return preferences_of(notice.user)["mail_quiet"] == "yes"


def write_digest(notices: Sequence[Notice]) -> Mail:
    """Return one email for everything that happened in a day, or for all that a mailing list had. Raises
    NothingToSend."""
    first = notices[0]
    if KINDS[first.kind].is_list:
        return compose_notice(kind=first.kind, facts=merge_talk([one.facts for one in notices]), user=first.user)
    mails, count = [], 0
    for *earlier, newest in group_by_battle(notices):
        if is_read(newest):
            continue
        with contextlib.suppress(NothingToSend):
            news = [(one.kind, one.facts) for one in earlier if one.kind != "stage_asked" and not is_read(one)]
            mails.append(compose_threaded(newest, facts_with_secrets(newest), news))
            count += len(news) + 1
    if not mails:
        raise NothingToSend
    user = notices[0].user
    with in_language_of(user):
        return compose_digest(mails, count=count, user=user)


def group_by_battle(notices: Sequence[Notice]) -> list[list[Notice]]:
    """Group the news of each battle, ordered by its latest news; everything else stays separate."""
    groups: dict[object, list[Notice]] = {}
    for notice in notices:
        battle = notice.facts.get("battle") if notice.kind in GROUPED_BY_BATTLE else None
        key = notice.pk if battle is None else f"battle {battle}"
        groups[key] = [*groups.pop(key, []), notice]
    return list(groups.values())
