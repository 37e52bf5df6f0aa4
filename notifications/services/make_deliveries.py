"""The deliveries of new notices: an email, a message to a hook or a device."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from notifications.hook_events import wants_event
from notifications.kinds import KINDS
from notifications.message_ids import draw_message_id, mark_daily_email
from notifications.models import Delivery, Hook, Notice
from notifications.preferences import AT_ONCE, DIGEST, NEVER, PREFERENCES
from notifications.recent_reading import is_about_something_open
from notifications.selectors.notices import find_mail_choices, find_next_digest, find_push_time, wants_hook

# How long an email waits while its reader has the battle open: they may read it there.
WHILE_READING = timedelta(seconds=60)


def make_posts(notices: Sequence[Notice], now: datetime) -> Iterator[Delivery]:
    """Create the deliveries of notices of one kind to hooks, and to their users' devices unless these have the battle
    open."""
    kind = KINDS[notices[0].kind]
    for notice, hook in _list_posts_to_hooks(notices):
        yield _make_post(notice, Delivery.Channel.WEBHOOK, now, now, hook=hook)
    for notice in notices if kind.push else ():
        user: Any = notice.user
        if user.has_push and not is_about_something_open(user.pk, notice.facts, now=now):
            push_at = find_push_time(user, notice.kind, now=now)
            if push_at is not None:
                yield _make_post(notice, Delivery.Channel.PUSH, now, push_at)


def _list_posts_to_hooks(notices: Sequence[Notice]) -> Iterator[tuple[Notice, int]]:
    """Return which notices go to which hooks: to the one that the notice is for, or to all of its user's own that want
    it. Those that are paused get it once they are called again."""
    kind = KINDS[notices[0].kind]
    if kind.posts and "hook" in notices[0].facts:
        yield from ((notice, notice.facts["hook"]) for notice in notices)
        return
    with_hooks = [notice.user for notice in notices if notice.user.has_webhook]
    if not with_hooks or not (kind.event or kind.posts or f"hook_{kind.subject}" in PREFERENCES):
        return
    own = Hook.objects.filter(user__in=with_hooks, scope=Hook.Scope.USER, off_at=None).order_by("pk")
    hooks_of: dict[int, list[Hook]] = {}
    for hook in own:
        if wants_event(hook, kind):
            hooks_of.setdefault(hook.user_id, []).append(hook)
    for notice in notices:
        if notice.user_id in hooks_of and wants_hook(notice.user, notice.kind):
            yield from ((notice, hook.pk) for hook in hooks_of[notice.user_id])


def _make_post(notice: Notice, channel: str, now: datetime, due: datetime, *, hook: int | None = None) -> Delivery:
    return Delivery(
        notice=notice,
        user_id=notice.user_id,
        channel=channel,
        hook_id=hook,
        message_id=draw_message_id(),
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
    due, channel, message_id = now, Delivery.Channel.MAIL, ""
    if choice == DIGEST:
        due, channel = find_next_digest(notice.user, now=now), Delivery.Channel.DIGEST
        which = f"{notice.kind}:" if KINDS[notice.kind].is_list else ""
        message_id = mark_daily_email(f"{which}{notice.user_id}:{due.timestamp():.0f}")
    elif not KINDS[notice.kind].interrupts and is_about_something_open(notice.user_id, notice.facts, now=now):
        due = now + WHILE_READING
    return Delivery(
        notice=notice,
        user_id=notice.user_id,
        channel=channel,
        address=address,
        message_id=message_id or draw_message_id(),
        created_at=now,
        due_at=due,
    )
