"""What users have open on the site, as far as it is worth knowing: so that nobody is mailed what he has just read.

A cache keeps it. It is a hint, and nothing is lost with it: who is not known to have read something is mailed.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)
KEPT_SECONDS = 3600
# A page that was looked at so lately may still be open.
LATELY = timedelta(minutes=5)


def note_reading(user_id: int, battle: int, *, now: datetime) -> None:
    """Note that the user has been shown the battle as it stands at `now`."""
    try:
        cache.set(_key(user_id, battle), now, KEPT_SECONDS)
    except (OSError, RedisError) as error:
        log.warning("reading not noted", error=type(error).__name__)


def find_last_reading(user_id: int, battle: int) -> datetime | None:
    """Return when the user was last shown the battle, or None when that is not known."""
    try:
        last: datetime | None = cache.get(_key(user_id, battle))
    except (OSError, RedisError) as error:
        log.warning("reading not known", error=type(error).__name__)
        return None
    return last


def is_about_something_open(user_id: int, facts: Mapping[str, Any], *, now: datetime) -> bool:
    """Say whether the facts are about a battle that the user has looked at lately."""
    last = find_last_reading(user_id, facts["battle"]) if "battle" in facts else None
    return last is not None and last > now - LATELY


def has_read_since(user_id: int, facts: Mapping[str, Any], then: datetime) -> bool:
    """Say whether the user has been shown the battle that the facts are about since `then`."""
    last = find_last_reading(user_id, facts["battle"]) if "battle" in facts else None
    return last is not None and last > then


def _key(user_id: int, battle: int) -> str:
    return f"reading:{user_id}:{battle}"
