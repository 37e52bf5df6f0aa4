"""Posting events to webhooks, through the outbox that sends email too: due, claimed, then sent, skipped or failed."""

import json
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import Webhook
from accounts.services.webhooks import record_webhook_answer
from accounts.webhook_calls import CALL_SECONDS, CallFailed, call, sign
from notifications.events import make_event
from notifications.models import Delivery, SkipReason
from notifications.services.deliveries import (
    claim_due_deliveries,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_delivery_skipped,
)
from notifications.settled_notices import is_settled
from operations.encryption import InvalidToken, unseal

AGENT = "FiretopMountain"
# A call in progress cannot be older, with some time to spare.
LONGEST_CALL = timedelta(seconds=3 * CALL_SECONDS)


def post_due_event(*, now: datetime) -> bool:
    """Post one event that is due; return whether there was one. A webhook that has just failed is left alone, and so is
    one that is being called: it keeps only one caller waiting."""
    of_webhooks = Q(channel=Delivery.Channel.WEBHOOK)
    calls = Delivery.objects.filter(of_webhooks, state=Delivery.State.CLAIMED, claimed_at__gt=now - LONGEST_CALL)
    waits = Q(user__webhook__retry_at__gt=now) | Q(user__in=calls.values("user"))
    claimed = claim_due_deliveries(now=now, limit=1, among=of_webhooks & ~waits)
    for deliveries in claimed:
        for delivery in deliveries:
            _post(delivery, now)
    return bool(claimed)


def _post(delivery: Delivery, now: datetime) -> None:
    notice = delivery.notice
    found = Webhook.objects.select_related("user").filter(user=delivery.user_id, off_at=None, user__is_active=True)
    webhook = found.first()
    if webhook is None or notice is None:
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.NO_ADDRESS)
        return
    if is_settled(notice):
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.SETTLED)
        return
    event = make_event(notice)
    body = json.dumps(event.to_json()).encode()
    timestamp = int(now.timestamp())
    try:
        secret = unseal(webhook.sealed_secret)["secret"]
        signature = sign(secret, mark=event.id, timestamp=timestamp, body=body)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": AGENT,
            "webhook-id": event.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature,
        }
        call(webhook.url, body, headers)
    except (CallFailed, InvalidToken) as error:
        message = str(error) or "the secret is lost"
        mark_delivery_failed(delivery=delivery, error=message, now=now)
        record_webhook_answer(webhook=webhook, error=message, now=now)
    else:
        mark_delivery_sent(delivery=delivery, now=now)
        record_webhook_answer(webhook=webhook, error="", now=now)
