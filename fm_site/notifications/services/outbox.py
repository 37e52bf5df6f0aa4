"""Writing notices, each exactly once, with their deliveries."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from structlog import get_logger

from fm_site.notifications.chosen_preferences import remembering
from fm_site.notifications.covered_notices import Answered, collecting, find_answered
from fm_site.notifications.events import EVENT_OF, channel_of
from fm_site.notifications.models import Delivery, Notice
from fm_site.notifications.preferences import (
    ADDRESSED_KINDS,
    AT_ONCE,
    BETWEEN_UNCONFIRMED_REMINDERS,
    DIGEST,
    MOST_UNCONFIRMED_REMINDERS,
    NEVER,
    UNCONFIRMED_REMINDER,
    URGENT_KINDS,
)
from fm_site.notifications.presence import is_about_something_open
from fm_site.notifications.push_texts import PUSHED
from fm_site.notifications.selectors import facts_with_secrets, find_mail_choices, find_next_digest, wants_mail
from fm_site.notifications.services.deliveries import wake_poster, wake_sender_on_commit
from fm_site.operations.prepared_query import PreparedInsert
from fm_site.operations.push import on_commit_once, wake_on_commit
from fm_site.operations.registry import MAIL_WRITER, find_function
from fm_site.operations.sealing import seal

log = get_logger(__name__)
_insert_notices, _insert_deliveries = PreparedInsert(Notice), PreparedInsert(Delivery)

# How long an email waits while its reader has the battle open: they may read it there.
WHILE_READING = timedelta(seconds=60)


def write_notice(
    *,
    key: str,
    user: AbstractBaseUser,
    kind: str,
    facts: Mapping[str, Any],
    now: datetime,
    secrets: Mapping[str, Any] | None = None,
    address: str = "",
) -> Notice | None:
    """Write a notice with `facts` for `user`, once per `key`; return None if it already exists.

    An email becomes due if the user has a verified address and wants email of that kind. Kinds with an address
    (ADDRESSED_KINDS) go to `address`, verified or not. `secrets` (codes, links) are stored encrypted until the email is
    sent.
    """
    sealed = seal(secrets) if secrets else ""
    notice = Notice(key=key, user=_as_saved(user), kind=kind, facts=dict(facts), sealed=sealed, created_at=now)
    return next(iter(_write([notice], address=address if kind in ADDRESSED_KINDS else "", now=now)), None)


def write_notices(
    *, kind: str, told: Iterable[tuple[str, AbstractBaseUser, Mapping[str, Any]]], now: datetime, are_new: bool = False
) -> list[Notice]:
    """Write notices for several users at once, each with a key and facts; return the new ones.

    With `are_new`, the caller guarantees that none of them exists and no other process can write them; if one does
    exist, this raises IntegrityError.
    """
    notices = [
        Notice(key=key, user=_as_saved(user), kind=kind, facts=dict(facts), created_at=now) for key, user, facts in told
    ]
    if not notices:
        return []
    if are_new:
        return _insert(notices, now=now)
    return _write(notices, now=now)


def _as_saved(user: AbstractBaseUser) -> Any:
    """Return the user for a foreign key; this app is below the model's and cannot name its type."""
    return user


def remind_unconfirmed(*, users: Iterable[Any], facts: Mapping[str, Any], now: datetime) -> list[Notice]:
    """Remind those of `users` whose only address is unconfirmed of what is waiting for them.

    The email goes to that address with a link to confirm it: at most three times, a day apart, and not after its reader
    has stopped it. It is safe to call this twice.
    """
    asked = {user.pk: user for user in users if user.is_active}
    rows = EmailAddress.objects.filter(user__in=asked).order_by("user", "-primary", "pk")
    proven = {row.user_id for row in rows if row.verified}
    addresses = {row.user_id: row for row in reversed(rows) if row.user_id not in proven}
    written = (_remind_unconfirmed(asked[pk], row, facts, now) for pk, row in sorted(addresses.items()))
    return [notice for notice in written if notice is not None]


def _remind_unconfirmed(user: Any, row: EmailAddress, facts: Mapping[str, Any], now: datetime) -> Notice | None:
    sent = Notice.objects.filter(user=user, kind=UNCONFIRMED_REMINDER, facts__address=row.email)
    times = list(sent.values_list("created_at", flat=True))
    is_soon = any(now - moment < BETWEEN_UNCONFIRMED_REMINDERS for moment in times)
    if is_soon or len(times) >= MOST_UNCONFIRMED_REMINDERS or not wants_mail(user, UNCONFIRMED_REMINDER):
        return None
    return write_notice(
        key=f"{UNCONFIRMED_REMINDER}/{user.pk}/{row.pk}/{len(times) + 1}",
        user=user,
        kind=UNCONFIRMED_REMINDER,
        facts={**facts, "address": row.email},
        address=row.email,
        now=now,
    )


def _write(notices: Sequence[Notice], *, now: datetime, address: str = "") -> list[Notice]:
    """Write the notices (all of one kind) with new keys, with their emails, and return them."""
    if not notices:
        return []
    try:
        with transaction.atomic():
            return _insert(notices, now=now, address=address)
    except IntegrityError:  # some are written already, or another worker was quicker
        keys = [notice.key for notice in notices]
        known = set(Notice.objects.filter(key__in=keys).values_list("key", flat=True))
        if not known:
            raise
        new = [notice for notice in notices if notice.key not in known]
        for notice in new:
            notice.pk = None
        return _write(new, now=now, address=address)


def _insert(notices: Sequence[Notice], *, now: datetime, address: str = "") -> list[Notice]:
    _insert_notices(notices)
    answered = find_answered()
    if answered is not None and notices[0].kind in answered.kinds:
        answered.notices += [notice for notice in notices if notice.user_id == answered.user]
    mails = list(_make_mails(notices, address=address, now=now))
    for mail in mails:
        freeze_mail(mail)
    posts = [post for notice in notices for post in _make_posts(notice, now)]
    _insert_deliveries([*mails, *posts])
    if any(mail.due_at <= now for mail in mails):
        wake_sender_on_commit()
    if posts:
        on_commit_once(wake_poster)
    for notice in notices:
        if notice.kind in EVENT_OF:
            wake_on_commit(channel_of(notice.user_id))
    return list(notices)


def _make_posts(notice: Notice, now: datetime) -> Iterator[Delivery]:
    """Create the deliveries to the user's webhook, and to their devices unless they have the battle open."""
    user: Any = notice.user
    channels = []
    if user.has_webhook and notice.kind in EVENT_OF:
        channels.append(Delivery.Channel.WEBHOOK)
    if user.has_push and notice.kind in PUSHED and not is_about_something_open(user.pk, notice.facts, now=now):
        channels.append(Delivery.Channel.PUSH)
    for channel in channels:
        yield Delivery(
            notice=notice,
            user_id=notice.user_id,
            channel=channel,
            message_id=_message_id(f"{channel.value}:{notice.key}"),
            created_at=now,
            due_at=now,
        )


def write_out(notice: Notice, facts: dict[str, Any]) -> str:
    """Return the email for a notice as of now, or "" if it can't be written yet: the sender tries again.

    `facts` include the notice's secrets. An error in an email never rolls back the change that it reports.
    """
    try:
        with transaction.atomic(), remembering(notice.user):
            written: str = find_function(MAIL_WRITER)(notice, facts)
            return written
    except Exception as error:
        # The type alone: the message of an error may repeat a code or link of the mail.
        log.error("mail not written out", kind=notice.kind, error=type(error).__name__)
    return ""


def freeze_mail(delivery: Delivery) -> None:
    """Render the email of a delivery before it is stored. A daily email is rendered when it is due.

    If the answer to an email may make it unnecessary, it is rendered once that is ruled out.
    """
    notice = delivery.notice
    if notice is not None and delivery.channel == Delivery.Channel.MAIL:
        answered = find_answered()
        if answered is not None and notice in answered.notices:
            answered.unwritten.append(delivery)
            return
        text = write_out(notice, facts_with_secrets(notice))
        delivery.sealed_mail = seal({"mail": text}) if text else ""


def _make_mails(notices: Sequence[Notice], *, address: str, now: datetime) -> Iterator[Delivery]:
    """Create deliveries for notices of one kind, for users who want and can get email."""
    if address:
        yield from (_make_mail(notice, AT_ONCE, address=address, now=now) for notice in notices)
        return
    choices = find_mail_choices([notice.user for notice in notices], notices[0].kind)
    for notice in notices:
        choice = choices.get(notice.user_id, NEVER)
        if choice != NEVER:
            yield _make_mail(notice, choice, address="", now=now)


def _make_mail(notice: Notice, choice: str, *, address: str, now: datetime) -> Delivery:
    due, key, channel = now, notice.key, Delivery.Channel.MAIL
    if choice == DIGEST:
        due = find_next_digest(notice.user, now=now)
        key, channel = f"digest:{notice.user_id}:{due.timestamp():.0f}", Delivery.Channel.DIGEST
    elif notice.kind not in URGENT_KINDS and is_about_something_open(notice.user_id, notice.facts, now=now):
        due = now + WHILE_READING
    return Delivery(
        notice=notice,
        user_id=notice.user_id,
        channel=channel,
        address=address,
        message_id=_message_id(key),
        created_at=now,
        due_at=due,
    )


def _message_id(key: str) -> str:
    # The key may reveal who and what; its hash does not.
    mark = hashlib.sha256(f"message:{key}".encode()).hexdigest()[:32]
    return f"<{mark}@{settings.FM_MAIL_DOMAIN}>"


@contextmanager
def answering(*, user_id: int | None, kinds: Collection[str]) -> Iterator[None]:
    """Hold back emails of `kinds` to this user (None: a stranger) while their own email is answered; at the end, write
    those that the answer did not cover.

    Use it in the transaction that stores the answer.
    """
    if user_id is None:
        yield
        return
    answered = Answered(user_id, kinds)
    with collecting(answered):
        yield
    for delivery in answered.unwritten:
        if delivery.notice_id not in answered.told:
            freeze_mail(delivery)
            waiting = Delivery.objects.filter(pk=delivery.pk, sealed_mail="", state=Delivery.State.DUE)
            waiting.update(sealed_mail=delivery.sealed_mail)
