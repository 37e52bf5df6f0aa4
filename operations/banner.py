"""The maintenance notice and announcements that every page shows, cached for seconds for all processes.

Every page reads it. Code that changes it clears the cache.
"""

from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db import transaction

from operations.selectors import list_announcements, read_closing_reason

KEY = "site_banner"
KEPT_SECONDS = 15


@dataclass(frozen=True)
class Banner:
    """The reason for maintenance ("" while there is none), and the announcements, newest first."""

    maintenance: str
    announcements: tuple[str, ...]


def read_banner(now: datetime) -> Banner:
    """Return what pages show at `now`, at most fifteen seconds old."""
    kept: Banner | None = cache.get(KEY)
    if kept is None:
        kept = Banner(read_closing_reason(), tuple(list_announcements(now)))
        cache.set(KEY, kept, KEPT_SECONDS)
    return kept


def forget_banner_on_commit() -> None:
    """Make the next page read the banner again once this transaction commits."""
    transaction.on_commit(lambda: cache.delete(KEY), robust=True)
