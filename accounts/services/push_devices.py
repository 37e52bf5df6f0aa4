"""Devices that get notifications: adding one, removing it, and the site's key."""

import base64
import binascii
import hashlib
from datetime import datetime
from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from accounts.errors import AccountRefused
from accounts.models import PushDevice, PushKey, User
from accounts.webhook_calls import check_url
from operations.encryption import seal, unseal

# One more removes the oldest.
MOST_DEVICES = 10
AUTH_BYTES = 16
CURVE = ec.SECP256R1()


def add_push_device(
    *, user: User, session_key: str, endpoint: str, p256dh: str, auth: str, user_agent: str, now: datetime
) -> PushDevice:
    """Send the user's notifications to this browser until its session (the hash of its key) ends. Raises
    InvalidWebhook, and AccountRefused for its keys.

    `endpoint`, `p256dh` and `auth` are those of its PushSubscription. A known browser, even another user's, belongs to
    this user from now on.
    """
    check_url(endpoint)
    _check_keys(p256dh, auth)
    mark = hash_endpoint(endpoint)
    with transaction.atomic():
        PushDevice.objects.filter(endpoint_hash=mark).exclude(user=user).delete()
        device, _created = PushDevice.objects.update_or_create(
            endpoint_hash=mark,
            defaults={
                "user": user,
                "endpoint": endpoint,
                "sealed_keys": seal({"p256dh": p256dh, "auth": auth}),
                "session_key": session_key,
                "user_agent": user_agent[:200],
                "created_at": now,
            },
        )
        newest = PushDevice.objects.filter(user=user).order_by("-created_at", "-pk").values_list("pk", flat=True)
        PushDevice.objects.filter(pk__in=list(newest[MOST_DEVICES:])).delete()
        User.objects.filter(pk=user.pk).update(has_push=True)
    user.has_push = True
    return device


def remove_push_device(*, user: User, device_id: int) -> bool:
    """Stop notifying this device of the user; return whether there was one."""
    deleted, _rows = PushDevice.objects.filter(user=user, pk=device_id).delete()
    _note_whether_any(user)
    return bool(deleted)


def remove_push_devices(*, user: User) -> None:
    """Stop notifying all the user's devices."""
    PushDevice.objects.filter(user=user).delete()
    _note_whether_any(user)


def _note_whether_any(user: User) -> None:
    user.has_push = PushDevice.objects.filter(user=user).exists()
    User.objects.filter(pk=user.pk).update(has_push=user.has_push)


def hash_endpoint(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


def read_push_key() -> str:
    """Return the site's private key, base64url of 32 bytes; the first call creates it."""
    kept = PushKey.objects.filter(pk=1).first()
    if kept is None:
        number = ec.generate_private_key(CURVE).private_numbers().private_value
        kept, _created = PushKey.objects.get_or_create(
            pk=1, defaults={"sealed_key": seal({"key": _encode(number.to_bytes(32, "big"))})}
        )
    return str(unseal(kept.sealed_key)["key"])


def read_public_push_key() -> str:
    """Return the site's public key as browsers want it: base64url of an uncompressed point."""
    return _find_public_key(read_push_key())


@lru_cache(maxsize=4)
def _find_public_key(private_key: str) -> str:
    number = int.from_bytes(decode_base64url(private_key), "big")
    point = ec.derive_private_key(number, CURVE).public_key()
    return _encode(point.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint))


def decode_base64url(text: str) -> bytes:
    """Return the bytes of base64url text with or without its padding. Raises ValueError."""
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _check_keys(p256dh: str, auth: str) -> None:
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64url(p256dh))
        is_whole = len(decode_base64url(auth)) == AUTH_BYTES
    except (ValueError, binascii.Error):
        is_whole = False
    if not is_whole:
        raise AccountRefused("wrong_push_keys")
