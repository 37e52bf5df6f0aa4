"""Notifications on users' devices, through the outbox that sends email too: encrypted for the browser, signed with the
site's key, and handed to its push service (RFC 8030, 8188, 8291 and 8292)."""

import json
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Q
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode

from accounts.languages import in_language_of
from accounts.models import PushDevice, User
from accounts.services.push_devices import (
    CURVE,
    read_push_key,
    record_push_answer,
    remove_push_device,
    stop_push_device,
)
from notifications.hook_calls import CallFailed, call
from notifications.models import Delivery, SkipReason
from notifications.push_texts import make_push
from notifications.services.deliveries import (
    claim_due_deliveries,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_delivery_skipped,
)
from notifications.settled_notices import is_settled
from operations.encryption import InvalidToken, unseal

# How long a push service keeps a message for a device that is off.
KEPT = timedelta(hours=12)
# Statuses by which a push service says that the subscription has ended.
GONE = (404, 410)


def push_due_notice(*, now: datetime) -> bool:
    """Send one notification that is due to all devices of its user; return whether there was one.

    It is sent if one device gets it. Devices that no longer exist are stopped.
    """
    claimed = claim_due_deliveries(now=now, limit=1, among=Q(channel=Delivery.Channel.PUSH))
    for deliveries in claimed:
        for delivery in deliveries:
            _push(delivery, now)
    return bool(claimed)


def _push(delivery: Delivery, now: datetime) -> None:
    notice = delivery.notice
    user = User.objects.filter(pk=delivery.user_id, is_active=True).first() if delivery.user_id else None
    with in_language_of(user):
        push = make_push(notice) if notice is not None else None
    if notice is None or user is None or push is None:
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.NO_ADDRESS)
        return
    if notice.created_at < now - KEPT or is_settled(notice):
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.SETTLED)
        return
    body = json.dumps(push.to_json()).encode()
    reached, errors = 0, []
    for device in list_live_devices(user=user, now=now):
        try:
            send_to_device(device=device, body=body, is_urgent=push.is_urgent, topic=_topic(delivery), now=now)
        except CallFailed as error:
            if error.status in GONE:
                stop_push_device(device=device, now=now)
            else:
                errors.append(str(error))
                record_push_answer(device=device, error=str(error), now=now)
        except InvalidToken:
            stop_push_device(device=device, now=now)
        else:
            reached += 1
            record_push_answer(device=device, error="", now=now)
    if reached:
        mark_delivery_sent(delivery=delivery, now=now)
    elif errors:
        mark_delivery_failed(delivery=delivery, error="; ".join(errors), now=now)
    else:
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.NO_ADDRESS)


def list_live_devices(*, user: User, now: datetime) -> list[PushDevice]:
    """Return the user's devices that have not stopped, oldest first. One from before devices belonged to browsers is
    removed once its session has ended."""
    devices = list(PushDevice.objects.filter(user=user, stopped_at=None).order_by("pk"))
    old = {device.session_key for device in devices if not device.browser}
    live = set(Session.objects.filter(session_key__in=old, expire_date__gt=now).values_list("session_key", flat=True))
    ended = [device for device in devices if not device.browser and device.session_key not in live]
    for device in ended:
        remove_push_device(user=user, device_id=device.pk)
    return [device for device in devices if device not in ended]


def send_to_device(*, device: PushDevice, body: bytes, is_urgent: bool, topic: str, now: datetime) -> None:
    """Encrypt `body` for the device and hand it to its push service. Raises CallFailed and InvalidToken."""
    keys = unseal(device.sealed_keys)
    sealed = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(CURVE),
        dh=b64urldecode(keys["p256dh"].encode()),
        auth_secret=b64urldecode(keys["auth"].encode()),
        version="aes128gcm",
    )
    parts = urlsplit(device.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + KEPT).timestamp()),
        "sub": f"mailto:postmaster@{settings.FM_MAIL_DOMAIN}",
    }
    signer = Vapid02.from_raw(read_push_key().encode())
    # A domain without a dot, such as that of a site on the operator's own machine, looks strange but is ours.
    signer.conf["no-strict"] = True
    headers = {
        **signer.sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Urgency": "high" if is_urgent else "normal",
        "Topic": topic,
    }
    call(device.endpoint, sealed, headers)


def _topic(delivery: Delivery) -> str:
    # At most 32 letters: a push service replaces a message that waits under the same one.
    return delivery.message_id.strip("<>").partition("@")[0][:32]
