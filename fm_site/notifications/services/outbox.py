"""Notices in, deliveries out: each once, whatever happens between.

A row of Delivery is the guarantee. Who wants to send claims it by conditional update, which moves `due_at` behind a
lease; a postman who dies with it loses it when the lease ends, and the next one sends the same Message-ID.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from structlog import get_logger

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
from fm_site.notifications.selectors import find_mail_choices, find_next_digest, wants_mail
from fm_site.notifications.selectors.notices import WAITING
from fm_site.operations.registry import MAIL_WRITER, find_function
from fm_site.operations.sealing import seal, unseal
from fm_site.operations.selectors import read_policy

log = get_logger(__name__)

LEASE = timedelta(minutes=5)
# How long the mail about something waits that its reader has open: he may read it there.
WHILE_READING = timedelta(seconds=60)
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 240, 720, 1440))
ENDED = (Delivery.State.SENT, Delivery.State.FAILED)


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
    """Write down that `user` is to be told `facts`, once per `key`; None when it has been written before.

    A mail becomes due when the user's address is verified and he wants mails of that kind. Kinds that prove an address
    (ADDRESSED_KINDS) carry it in `address` and go there, verified or not. `secrets` (codes, links) are kept encrypted
    until the mail is sent.
    """
    sealed = seal(secrets) if secrets else ""
    notice = Notice(key=key, user=_as_saved(user), kind=kind, facts=dict(facts), sealed=sealed, created_at=now)
    return next(iter(_write([notice], address=address if kind in ADDRESSED_KINDS else "", now=now)), None)


def write_notices(
    *, kind: str, told: Iterable[tuple[str, AbstractBaseUser, Mapping[str, Any]]], now: datetime
) -> list[Notice]:
    """The same for several users at once, each with his key and facts; return the notices not written before."""
    notices = [
        Notice(key=key, user=_as_saved(user), kind=kind, facts=dict(facts), created_at=now) for key, user, facts in told
    ]
    return _write(notices, now=now)


def _as_saved(user: AbstractBaseUser) -> Any:
    """Return the user for a foreign key; this app stands below the model and cannot name its type."""
    return user


def remind_unconfirmed(*, users: Iterable[Any], facts: Mapping[str, Any], now: datetime) -> list[Notice]:
    """Remind those of `users` who gave an address but have not confirmed it, and who have no other, of what waits.

    The mail goes to that address with a link that confirms it: three times at most, a day apart, and no more once its
    reader has stopped it. May be called twice.
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
    """Write those of one kind whose keys are new, with their mails, and return them."""
    keys = [notice.key for notice in notices]
    new = list(notices)
    if len(new) > 1:  # of a single one the constraint says whether it is new
        known = set(Notice.objects.filter(key__in=keys).values_list("key", flat=True))
        new = [notice for notice in notices if notice.key not in known]
    if not new:
        return []
    try:
        with transaction.atomic():
            Notice.objects.bulk_create(new)
            mails = list(_make_mails(new, address=address, now=now))
            for mail in mails:
                freeze_mail(mail)
            Delivery.objects.bulk_create(mails)
    except IntegrityError:  # somebody else has written one of them since
        if len(notices) == 1:
            if Notice.objects.filter(key__in=keys).exists():
                return []
            raise
        for notice in new:
            notice.pk = None
        return [written for notice in new for written in _write([notice], now=now, address=address)]
    return new


def write_out(notice: Notice, facts: dict[str, Any]) -> str:
    """Return the email for a notice as things stand now, or "" if it can't be written yet: the sender tries again.

    `facts` include the notice's secrets. An error in an email never undoes what the email is about.
    """
    try:
        with transaction.atomic():
            written: str = find_function(MAIL_WRITER)(notice, facts)
            return written
    except Exception as error:
        # The type alone: the message of an error may repeat a code or link of the mail.
        log.error("mail not written out", kind=notice.kind, error=type(error).__name__)
    return ""


def freeze_mail(delivery: Delivery) -> None:
    """Write out the mail of a delivery that is not stored yet. A daily mail is written out when its day is over."""
    if delivery.channel == Delivery.Channel.MAIL:
        notice = delivery.notice
        text = write_out(notice, {**notice.facts, **(unseal(notice.sealed) if notice.sealed else {})})
        delivery.sealed_mail = seal({"mail": text}) if text else ""


def read_frozen_mail(*, delivery: Delivery) -> str:
    """Return the mail as it was written out, or "" when it was not yet. Raises InvalidToken."""
    return str(unseal(delivery.sealed_mail)["mail"]) if delivery.sealed_mail else ""


def keep_frozen_mail(*, delivery: Delivery, text: str) -> str:
    """Keep `text` as what this delivery says for good, unless somebody was quicker; return what it says."""
    unwritten = Delivery.objects.filter(pk=delivery.pk, sealed_mail="").exclude(state__in=ENDED)
    unwritten.update(sealed_mail=seal({"mail": text}))
    delivery.refresh_from_db(fields=["sealed_mail"])
    return read_frozen_mail(delivery=delivery) or text


def claim_due_deliveries(*, now: datetime, limit: int = 50, kinds: Collection[str] | None = None) -> list[Delivery]:
    """Return deliveries that are due and now the caller's alone for five minutes, oldest first; with `kinds`, those of
    notices of these kinds alone."""
    waiting = Delivery.objects.filter(state__in=WAITING, due_at__lte=now, channel=Delivery.Channel.MAIL)
    if kinds is not None:
        waiting = waiting.filter(notice__kind__in=kinds)
    ids = list(waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:limit])
    claims = (claim_delivery(delivery_id=pk, now=now) for pk in ids)
    return [delivery for delivery in claims if delivery is not None]


def claim_delivery(*, delivery_id: int, now: datetime) -> Delivery | None:
    """Return the delivery if it is due and nobody else has it; then it is the caller's alone for five minutes."""
    claimed = Delivery.objects.filter(pk=delivery_id, state__in=WAITING, due_at__lte=now).update(
        state=Delivery.State.CLAIMED, claimed_at=now, due_at=now + LEASE, attempts=F("attempts") + 1
    )
    return Delivery.objects.select_related("notice__user").get(pk=delivery_id) if claimed else None


def claim_due_digest(*, now: datetime) -> list[Delivery]:
    """Return the deliveries of one daily mail that is due and now the caller's alone for five minutes, oldest first."""
    waiting = Delivery.objects.filter(state__in=WAITING, due_at__lte=now, channel=Delivery.Channel.DIGEST)
    first = waiting.order_by("due_at", "pk").first()
    if first is None:
        return []
    together = waiting.filter(message_id=first.message_id)
    claim = {"state": Delivery.State.CLAIMED, "claimed_at": now, "due_at": now + LEASE, "attempts": F("attempts") + 1}
    if not together.update(**claim):  # somebody else has
        return []
    mine = Delivery.objects.filter(message_id=first.message_id, state=Delivery.State.CLAIMED, claimed_at=now)
    return list(mine.select_related("notice__user").order_by("notice__created_at", "notice"))


def mark_delivery_sent(*, delivery: Delivery, now: datetime) -> None:
    """Record that the mail is out, and forget the notice's secrets."""
    _end(delivery, Delivery.State.SENT, now=now, error="")


def mark_delivery_failed(*, delivery: Delivery, error: str, now: datetime, permanent: bool = False) -> None:
    """Record why the mail could not be sent; it is due again later, or given up when permanent or tried too often."""
    if permanent or delivery.attempts > len(BACKOFF):
        _end(delivery, Delivery.State.FAILED, now=now, error=error)
        return
    pause = BACKOFF[max(delivery.attempts, 1) - 1]
    # Not when another postman has taken the row over since.
    Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.CLAIMED, attempts=delivery.attempts).update(
        state=Delivery.State.DUE, due_at=now + pause, error=error[:200]
    )


def mark_told(*, notice: Notice, message_id: str, now: datetime) -> None:
    """Record that another mail, known by `message_id`, tells its reader what this notice says: it needs none of its
    own. A mail that is on its way already is left alone."""
    told = Delivery.objects.filter(notice=notice, state=Delivery.State.DUE)
    told.update(state=Delivery.State.SENT, message_id=message_id, sent_at=now, sealed_mail="")


def prune_notices(*, now: datetime, limit: int = 500) -> int:
    """Delete the oldest of what users were told, once it is older than the policy keeps it; return how many. What
    still waits to be mailed stays."""
    kept_from = now - timedelta(days=read_policy().notice_keep_days)
    oldest = list(Notice.objects.order_by("pk").values_list("pk", "created_at")[:limit])
    old = [pk for pk, created_at in oldest if created_at < kept_from]
    waiting = Delivery.objects.filter(notice__in=old, state__in=WAITING).values_list("notice_id", flat=True)
    gone = Notice.objects.filter(pk__in=set(old) - set(waiting))
    count = gone.count()
    gone.delete()
    return count


def _make_mails(notices: Sequence[Notice], *, address: str, now: datetime) -> Iterator[Delivery]:
    """Make the mails of notices of one kind, as far as their users want and can get them."""
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
    return Delivery(notice=notice, channel=channel, address=address, message_id=_message_id(key), due_at=due)


def _message_id(key: str) -> str:
    # The key may tell who and what; its hash does not.
    mark = hashlib.sha256(f"message:{key}".encode()).hexdigest()[:32]
    return f"<{mark}@{settings.FM_MAIL_DOMAIN}>"


def _end(delivery: Delivery, state: str, *, now: datetime, error: str) -> None:
    with transaction.atomic():
        ended = Delivery.objects.filter(Q(pk=delivery.pk) & ~Q(state=Delivery.State.SENT))
        sent_at = now if state == Delivery.State.SENT else None
        ended.update(state=state, sent_at=sent_at, error=error[:200], sealed_mail="")
        if not Delivery.objects.filter(notice=delivery.notice_id, state__in=WAITING).exists():
            Notice.objects.filter(pk=delivery.notice_id).exclude(sealed="").update(sealed="")
