"""Which battles users have just seen on the site, so that they get no email about them.

This is only a hint in the cache: if it is lost, the email is sent.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache

KEPT_SECONDS = 3600
# A page that was viewed this recently may still be open.
LATELY = timedelta(minutes=5)


def note_reading(user_id: int, battle: int, *, now: datetime) -> None:
    cache.set(_key(user_id, battle), now, KEPT_SECONDS)


def find_last_reading(user_id: int, battle: int) -> datetime | None:
    """Return when the user last saw the battle, or None if unknown."""
    last: datetime | None = cache.get(_key(user_id, battle))
    return last


def is_about_something_open(user_id: int, facts: Mapping[str, Any], *, now: datetime) -> bool:
    last = find_last_reading(user_id, facts["battle"]) if "battle" in facts else None
    return last is not None and last > now - LATELY


def has_read_since(user_id: int, facts: Mapping[str, Any], then: datetime) -> bool:
    last = find_last_reading(user_id, facts["battle"]) if "battle" in facts else None
    return last is not None and last > then


def _key(user_id: int, battle: int) -> str:
    return f"reading:{user_id}:{battle}"
