"""Webhooks: registering one, and handling one that does not answer."""

import base64
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User, Webhook
from accounts.webhook_calls import SECRET_START, check_url
from notifications.services.deliveries import post_again
from notifications.services.outbox import write_notice
from operations.encryption import seal

# How long a webhook may fail before it is switched off, and how long to wait after each failure.
OFF_AFTER = timedelta(days=3)
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 240))


def set_webhook(*, user: User, url: str, now: datetime) -> tuple[Webhook, str]:
    """Make this the user's webhook; return it and its new secret, which nobody can see again. Raises InvalidWebhook."""
    url = check_url(url)
    secret = SECRET_START + base64.b64encode(secrets.token_bytes(32)).decode()
    fresh = {
        "url": url,
        "sealed_secret": seal({"secret": secret}),
        "created_at": now,
        "answered_at": None,
        "failing_since": None,
        "failures": 0,
        "retry_at": None,
        "off_at": None,
        "error": "",
    }
    with transaction.atomic():
        webhook, _ = Webhook.objects.update_or_create(user=user, defaults=fresh)
        User.objects.filter(pk=user.pk).update(has_webhook=True)
    user.has_webhook = True
    return webhook, secret


def remove_webhook(*, user: User) -> bool:
    """Delete the user's webhook; return whether there was one."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk, has_webhook=True).update(has_webhook=False)
        deleted, _ = Webhook.objects.filter(user=user).delete()
    user.has_webhook = False
    return bool(deleted)


def retry_webhook(*, user: User, now: datetime, delivery_id: int | None = None) -> bool:
    """Call the user's webhook again at once, and switch it on if it was off: with all waiting events, or with this
    one, even if it had failed for good. Return False if there is no webhook, or no such event to repeat."""
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update().filter(user=user).first()
        if webhook is None:
            return False
        if not post_again(user=user, now=now, delivery_id=delivery_id) and delivery_id is not None:
            return False
        if webhook.off_at is not None:  # it has as long again as a new one
            webhook.off_at, webhook.failing_since, webhook.failures = None, None, 0
            User.objects.filter(pk=user.pk).update(has_webhook=True)
        webhook.retry_at = None
        webhook.save(update_fields=["off_at", "failing_since", "failures", "retry_at"])
    user.has_webhook = True
    return True


def record_webhook_answer(*, webhook: Webhook, error: str, now: datetime) -> None:
    """Record that a call was answered, or failed with `error`. One that fails for days is switched off, and its user
    is notified."""
    # Not if the user has changed the address since.
    same = Webhook.objects.filter(pk=webhook.pk, created_at=webhook.created_at, off_at=None)
    if not error:
        same.update(answered_at=now, failing_since=None, failures=0, retry_at=None, error="")
        return
    since = webhook.failing_since or now
    pause = BACKOFF[min(webhook.failures, len(BACKOFF) - 1)]
    failed = {"failing_since": since, "failures": webhook.failures + 1, "retry_at": now + pause, "error": error[:200]}
    if now - since < OFF_AFTER:
        same.update(**failed)
        return
    with transaction.atomic():
        if not same.update(**failed, off_at=now):
            return
        User.objects.filter(pk=webhook.user_id).update(has_webhook=False)
        key = f"webhook_off:{webhook.pk}:{now.timestamp():.0f}"
        write_notice(key=key, user=webhook.user, kind="account_changed", facts={"what": "webhook_off"}, now=now)
