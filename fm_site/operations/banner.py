"""The maintenance notice and announcements that every page shows, cached for seconds for all processes.

Every page reads it. Code that changes it clears the cache; without a cache, it is read from the database.
"""

from dataclasses import dataclass
from datetime import datetime

import structlog
from django.core.cache import cache
from django.db import transaction
from redis.exceptions import RedisError

from fm_site.operations.selectors import list_announcements, read_closing_reason

log = structlog.get_logger(__name__)
KEY = "site_banner"
KEPT_SECONDS = 15


@dataclass(frozen=True)
class Banner:
    """The reason for maintenance ("" while there is none), and the announcements, newest first."""

    maintenance: str
    announcements: tuple[str, ...]


def read_banner(now: datetime) -> Banner:
    """Return what pages show at `now`, at most fifteen seconds old."""
    try:
        kept: Banner | None = cache.get(KEY)
    except (OSError, RedisError) as error:
        log.warning("site banner not cached", error=type(error).__name__)
        return _read(now)
    if kept is None:
        kept = _read(now)
        cache.set(KEY, kept, KEPT_SECONDS)
    return kept


def forget_banner_on_commit() -> None:
    """Make the next page read the banner again once this transaction commits."""
    transaction.on_commit(_forget, robust=True)


def _read(now: datetime) -> Banner:
    return Banner(read_closing_reason(), tuple(list_announcements(now)))


def _forget() -> None:
    cache.delete(KEY)
