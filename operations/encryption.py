"""Encryption of data that is stored for a while but must stay secret: codes, links, raw email."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

__all__ = ["InvalidToken", "reseal_bytes", "seal", "seal_bytes", "unseal", "unseal_bytes"]


def seal_bytes(plain: bytes) -> bytes:
    """Return `plain` encrypted with the site's secret key."""
    return _box(settings.SECRET_KEY, tuple(settings.SECRET_KEY_FALLBACKS)).encrypt(plain)


def unseal_bytes(sealed: bytes) -> bytes:
    """Decrypt what `seal_bytes` returned, even under an older secret key. Raises InvalidToken for anything else."""
    return _box(settings.SECRET_KEY, tuple(settings.SECRET_KEY_FALLBACKS)).decrypt(sealed)


def reseal_bytes(sealed: bytes) -> bytes:
    """Return the same data, encrypted with the current secret key. Raises InvalidToken."""
    return _box(settings.SECRET_KEY, tuple(settings.SECRET_KEY_FALLBACKS)).rotate(sealed)


def seal(facts: Mapping[str, Any]) -> str:
    """Return `facts` (JSON) encrypted, as text."""
    return seal_bytes(json.dumps(dict(facts)).encode()).decode()


def unseal(sealed: str) -> dict[str, Any]:
    """Return the facts that `seal` encrypted, or {} for an empty text. Raises InvalidToken."""
    if not sealed:
        return {}
    facts: dict[str, Any] = json.loads(unseal_bytes(sealed.encode()))
    return facts


@lru_cache(maxsize=4)
def _box(key: str, older: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(_derived(one)) for one in (key, *older)])


def _derived(secret: str) -> bytes:
    # A separate derivation, so that Django's signatures reveal nothing about this key.
    return base64.urlsafe_b64encode(hashlib.blake2b(secret.encode(), digest_size=32, person=b"firetop.seal").digest())
