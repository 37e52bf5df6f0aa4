"""What every page shows of the site's state: the maintenance notice, announcements, and which pages of the operator
there are. Cached for seconds for all processes.

Every page reads it. Code that changes it clears the cache.
"""

from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db import transaction

from operations.selectors import list_announcements, list_written_pages, read_closing_reason

KEY = "site_banner"
KEPT_SECONDS = 15


@dataclass(frozen=True)
class Banner:
    """The reason for maintenance ("" while there is none), the announcements, newest first, and the names of the
    operator's pages."""

    maintenance: str
    announcements: tuple[str, ...]
    # One that the last release cached has none.
    pages: tuple[str, ...] = ()


def read_banner(now: datetime) -> Banner:
    """Return what pages show at `now`, at most fifteen seconds old."""
    kept: Banner | None = cache.get(KEY)
    if kept is None:
        kept = Banner(read_closing_reason(), tuple(list_announcements(now)), tuple(list_written_pages()))
        cache.set(KEY, kept, KEPT_SECONDS)
    return kept


def forget_banner_on_commit() -> None:
    """Make the next page read the banner again once this transaction commits."""
    transaction.on_commit(lambda: cache.delete(KEY), robust=True)
