"""Devices that get notifications: adding, renewing, stopping and removing one, and the site's key."""

import base64
import binascii
import hashlib
from datetime import datetime, timedelta
from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.db.models import QuerySet

from accounts.errors import AccountRefused
from accounts.models import PushDevice, PushKey, User
from notifications.hook_calls import check_url
from notifications.services.outbox import write_notice
from operations.encryption import seal, unseal

# One more removes the oldest. Nobody is accountable for a guest, and each device is an address that we call.
MOST_DEVICES = 10
MOST_DEVICES_OF_GUEST = 2
# A device that fails for this long is stopped.
STOP_AFTER = timedelta(days=3)
AUTH_BYTES = 16
CURVE = ec.SECP256R1()


def add_push_device(
    *,
    user: User,
    session_key: str,
    browser: str,
    endpoint: str,
    p256dh: str,
    auth: str,
    user_agent: str,
    now: datetime,
) -> PushDevice:
    """Send the user's notifications to the browser with this cookie, now in the session with this key (both hashed).
    Raises InvalidHook, and AccountRefused for its keys.

    `endpoint`, `p256dh` and `auth` are those of its PushSubscription. A known browser, even another user's, belongs to
    this user from now on.
    """
    check_url(endpoint)
    _check_keys(p256dh, auth)
    mark = hash_endpoint(endpoint)
    with transaction.atomic():
        _remove(PushDevice.objects.filter(browser=browser).exclude(endpoint_hash=mark))
        _remove(PushDevice.objects.filter(endpoint_hash=mark).exclude(user=user))
        device, _created = PushDevice.objects.update_or_create(
            endpoint_hash=mark,
            defaults={
                "user": user,
                "endpoint": endpoint,
                "sealed_keys": seal({"p256dh": p256dh, "auth": auth}),
                "session_key": session_key,
                "browser": browser,
                "user_agent": user_agent[:200],
                "created_at": now,
                "failing_since": None,
                "stopped_at": None,
            },
        )
        newest = PushDevice.objects.filter(user=user).order_by("-created_at", "-pk").values_list("pk", flat=True)
        most = MOST_DEVICES_OF_GUEST if user.is_guest else MOST_DEVICES
        PushDevice.objects.filter(pk__in=list(newest[most:])).delete()
        _note_whether_any(user)
    return device


def renew_push_device(*, browser: str, user: User | None, endpoint: str, p256dh: str, auth: str) -> bool:
    """Replace the subscription of the device in the browser with this cookie (hashed), whether or not its user is
    logged in there; return whether there was one. `user`: who is logged in.

    Raises InvalidHook, and AccountRefused for its keys.
    """
    check_url(endpoint)
    _check_keys(p256dh, auth)
    mark = hash_endpoint(endpoint)
    with transaction.atomic():
        device = PushDevice.objects.select_related("user").filter(browser=browser).exclude(browser="").first()
        if device is None or (user is not None and device.user_id != user.pk):
            return False
        _remove(PushDevice.objects.filter(endpoint_hash=mark).exclude(pk=device.pk))
        PushDevice.objects.filter(pk=device.pk).update(
            endpoint=endpoint,
            endpoint_hash=mark,
            sealed_keys=seal({"p256dh": p256dh, "auth": auth}),
            failing_since=None,
            stopped_at=None,
        )
        _note_whether_any(device.user)
    return True


def hand_over_browser(*, browser: str, user: User, session_key: str) -> None:
    """Record that `user` has logged in, in a session with this key, in the browser with this cookie (both hashed): a
    device of theirs rings on there, one of anyone else is removed."""
    with transaction.atomic():
        here = PushDevice.objects.filter(browser=browser).exclude(browser="")
        here.filter(user=user).update(session_key=session_key)
        _remove(here.exclude(user=user))


def stop_push_device(*, device: PushDevice, now: datetime) -> bool:
    """Stop sending to a device that can no longer be reached, and tell its user by email; return whether this call
    did, since that happens once."""
    with transaction.atomic():
        unchanged = PushDevice.objects.filter(pk=device.pk, endpoint_hash=device.endpoint_hash, stopped_at=None)
        if not unchanged.update(stopped_at=now):
            return False
        user = User.objects.get(pk=device.user_id)
        _note_whether_any(user)
        write_notice(
            key=f"device_stopped:{device.pk}:{now.isoformat()}",
            user=user,
            kind="device_stopped",
            facts={"device": device.user_agent, "since": (device.reached_at or device.created_at).isoformat()},
            now=now,
        )
    return True


def record_push_answer(*, device: PushDevice, error: str, now: datetime) -> None:
    """Record that the device got a notification, or failed with `error`. One that fails for days is stopped."""
    same = PushDevice.objects.filter(pk=device.pk, endpoint_hash=device.endpoint_hash)
    if not error:
        same.update(reached_at=now, failing_since=None)
    elif device.failing_since is not None and now - device.failing_since >= STOP_AFTER:
        stop_push_device(device=device, now=now)
    else:
        same.filter(failing_since=None).update(failing_since=now)


def remove_push_device(*, user: User, device_id: int) -> bool:
    """Stop notifying this device of the user; return whether there was one."""
    with transaction.atomic():
        deleted, _rows = PushDevice.objects.filter(user=user, pk=device_id).delete()
        _note_whether_any(user)
    return bool(deleted)


def remove_push_devices(*, user: User) -> None:
    with transaction.atomic():
        PushDevice.objects.filter(user=user).delete()
        _note_whether_any(user)


def remove_devices_of_other_sessions(*, user: User, session_key: str) -> None:
    """Stop notifying all the user's devices but the one of the session with this key (hashed)."""
    with transaction.atomic():
        PushDevice.objects.filter(user=user).exclude(session_key=session_key).delete()
        _note_whether_any(user)


def _remove(devices: QuerySet[PushDevice]) -> None:
    users = list(User.objects.filter(push_devices__in=devices).distinct())
    devices.delete()
    for user in users:
        _note_whether_any(user)


def _note_whether_any(user: User) -> None:
    """Store whether the user has devices that are not stopped, in the transaction that changes them."""
    # Two that change them at once count one after the other, or the first would not see the other's change.
    list(User.objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))
    user.has_push = PushDevice.objects.filter(user=user, stopped_at=None).exists()
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
