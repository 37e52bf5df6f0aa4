"""The deliveries of new notices: an email, a webhook's call, a message to a device."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from notifications.kinds import KINDS
from notifications.models import Delivery, Notice
from notifications.preferences import AT_ONCE, DIGEST, NEVER
from notifications.recent_reading import is_about_something_open
from notifications.selectors.notices import find_mail_choices, find_next_digest, find_push_time, wants_hook

# How long an email waits while its reader has the battle open: they may read it there.
WHILE_READING = timedelta(seconds=60)


def make_posts(notice: Notice, now: datetime) -> Iterator[Delivery]:
    """Create the deliveries to the user's webhook, and to their devices unless they have the battle open."""
    user: Any = notice.user
    kind, channels = KINDS[notice.kind], {}
    if user.has_webhook and kind.event and wants_hook(user, notice.kind):
        channels[Delivery.Channel.WEBHOOK] = now
    if user.has_push and kind.push and not is_about_something_open(user.pk, notice.facts, now=now):
        push_at = find_push_time(user, notice.kind, now=now)
        if push_at is not None:
            channels[Delivery.Channel.PUSH] = push_at
    for channel, due in channels.items():
        yield Delivery(
            notice=notice,
            user_id=notice.user_id,
            channel=channel,
            message_id=_message_id(f"{channel.value}:{notice.key}"),
            created_at=now,
            due_at=due,
        )


def make_mails(notices: Sequence[Notice], *, address: str, now: datetime) -> Iterator[Delivery]:
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
        which = f"{notice.kind}:" if KINDS[notice.kind].is_list else ""
        key, channel = f"digest:{which}{notice.user_id}:{due.timestamp():.0f}", Delivery.Channel.DIGEST
    elif not KINDS[notice.kind].interrupts and is_about_something_open(notice.user_id, notice.facts, now=now):
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
