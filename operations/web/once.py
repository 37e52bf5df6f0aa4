"""The key of a form that may arrive twice: what it writes is written once under the key."""

import hashlib
import secrets

# Characters; the columns that keep the key have room for no more.
LENGTH = 16


def make_once_key() -> str:
    return secrets.token_hex(LENGTH // 2)


def hash_once_key(key: str) -> str:
    """Return what is stored of a key that must stay secret."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_once_key(text: str) -> bool:
    return text.isalnum() and text.isascii() and len(text) <= LENGTH
