"""What every page says of the house, kept for seconds in the cache that all processes share.

It is read by every page; whoever changes it has it forgotten, and a cache that is away is done without.
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
    """Why the house is closed ("" when it is open), and what is announced, the newest first."""

    maintenance: str
    announcements: tuple[str, ...]


def read_banner(now: datetime) -> Banner:
    """Return what pages say at `now`, up to fifteen seconds old."""
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
    """Let the next page read anew, once this transaction stands."""
    transaction.on_commit(_forget, robust=True)


def _read(now: datetime) -> Banner:
    return Banner(read_closing_reason(), tuple(list_announcements(now)))


def _forget() -> None:
    cache.delete(KEY)
