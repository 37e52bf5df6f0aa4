"""Sending to hooks, through the outbox that sends email too: due, claimed, then sent, skipped or failed."""

from datetime import datetime, timedelta

from django.db.models import Q

from accounts.languages import in_language_of
from accounts.models import User
from notifications.events import make_event
from notifications.hook_calls import CALL_SECONDS, CallFailed, call
from notifications.hook_formats import FORGETFUL, HookRequest, write_message, write_signed_event
from notifications.hook_texts import make_hook_message
from notifications.models import Delivery, Hook, SkipReason
from notifications.services.deliveries import (
    claim_due_deliveries,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_delivery_skipped,
)
from notifications.services.hooks import record_hook_answer
from notifications.settled_notices import is_settled
from operations.encryption import InvalidToken, unseal

# A call in progress cannot be older, with some time to spare.
LONGEST_CALL = timedelta(seconds=3 * CALL_SECONDS)
# What a delivery says while it is sent to a service that does not know a message again.
SENDING = "being sent"
INTERRUPTED = "interrupted: it may have arrived"


def post_due_event(*, now: datetime) -> bool:
    """Send one message to a hook that is due; return whether there was one. A hook that has just failed is left alone,
    and so is one that is being called: it keeps only one caller waiting."""
    to_hooks = Q(channel=Delivery.Channel.WEBHOOK)
    claims = Delivery.objects.filter(to_hooks, state=Delivery.State.CLAIMED, claimed_at__gt=now - LONGEST_CALL)
    calls = claims.filter(hook__isnull=False)
    resting = Hook.objects.filter(Q(paused_at__isnull=False) | Q(retry_at__gt=now), off_at=None)
    free = Q(hook=None) | ~(Q(hook__in=resting.values("pk")) | Q(hook__in=calls.values("hook")))
    claimed = claim_due_deliveries(now=now, limit=1, among=to_hooks & free)
    for deliveries in claimed:
        for delivery in deliveries:
            _post(delivery, now)
    return bool(claimed)


def _post(delivery: Delivery, now: datetime) -> None:
    hook = _find_hook(delivery)
    if hook is None or delivery.notice is None:
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.NO_ADDRESS)
        return
    if is_settled(delivery.notice):
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.SETTLED)
        return
    is_new_failure = not delivery.error
    if hook.format in FORGETFUL and not _begin(delivery, now):
        return
    try:
        request = _write(hook, delivery, now)
        if request is None:
            mark_delivery_skipped(delivery=delivery, reason=SkipReason.SETTLED)
            return
        call(request.url, request.body, request.headers, method=request.method)
    except (CallFailed, InvalidToken, KeyError) as error:
        message = str(error) if isinstance(error, CallFailed) else "the secret is lost"
        mark_delivery_failed(delivery=delivery, error=message, now=now)
        record_hook_answer(hook=hook, error=message, is_new_failure=is_new_failure, now=now)
    else:
        mark_delivery_sent(delivery=delivery, now=now)
        record_hook_answer(hook=hook, error="", is_new_failure=False, now=now)


def _find_hook(delivery: Delivery) -> Hook | None:
    """Return the hook that the delivery is for, if it is to be called. A process of an earlier version, which runs on
    while the site is upgraded, knows only the one webhook of each user."""
    known = Hook.objects.filter(off_at=None, user__is_active=True).select_related("user")
    if delivery.hook_id is not None:
        return known.filter(pk=delivery.hook_id).first()
    if delivery.user_id is None:
        return None
    return known.filter(user=delivery.user_id, is_webhook=True).first()


def _begin(delivery: Delivery, now: datetime) -> bool:
    """Note that the message is being sent to a service that would show it twice. False if another worker has taken it
    over, or died while sending it: then the user may send it again."""
    if delivery.error == SENDING:
        mark_delivery_failed(delivery=delivery, error=INTERRUPTED, now=now, permanent=True)
        return False
    mine = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.CLAIMED, attempts=delivery.attempts)
    return mine.update(error=SENDING) > 0


def _write(hook: Hook, delivery: Delivery, now: datetime) -> HookRequest | None:
    """Return the call for this delivery; None if there is nothing to say any more. Raises InvalidToken and KeyError if
    what it needs was lost with an old key."""
    notice, target = delivery.notice, unseal(hook.sealed)
    if notice is None:
        return None
    if hook.format == Hook.Format.JSON:
        return write_signed_event(target, make_event(notice), timestamp=int(now.timestamp()))
    user: User = hook.user
    with in_language_of(user):
        message = make_hook_message(notice)
    if message is None:
        return None
    mark = delivery.message_id.strip("<>").partition("@")[0]
    return write_message(hook.format, target, message, mark=mark)
