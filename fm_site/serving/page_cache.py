"""Pages for strangers, rendered once and served unchanged until a row of the database changes.

A stamp identifies the state of the database: PostgreSQL's snapshot, or SQLite's counters of changes. With the same
stamp, a query finds the same rows. Time and the cache server don't change the stamp, so a page is cached for
MOST_SECONDS at most. Only responses without secrets are cached (`transfer.py` decides).
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

MOST_SECONDS = timedelta(seconds=2)
MOST_KEPT = 200
LONGEST_KEY = 500
# A stranger's cookies that no open page shows.
UNSEEN_COOKIES = frozenset({settings.CSRF_COOKIE_NAME})

Stamp = tuple[Any, ...]
_own = threading.local()


@dataclass(frozen=True)
class CachedPage:
    """A response with status 200: its headers and content, and its content in each requested encoding."""

    headers: tuple[tuple[str, str], ...]
    content: bytes
    stamp: Stamp
    # When rendering began: by the site's clock, and by one that is never set.
    begun_at: datetime
    begun: float
    encoded: dict[str, bytes] = field(default_factory=dict)

    def make_response(self) -> HttpResponse:
        """Return a new, unencoded response."""
        return HttpResponse(self.content, headers=dict(self.headers))


class PageCache:
    """The pages cached by this process, the least recently used first. One thread renders a page, others wait."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, CachedPage] = OrderedDict()
        self._drawing: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def find(self, request: HttpRequest, draw: Callable[[], tuple[Any, bool]]) -> tuple[Any, bool, CachedPage | None]:
        """Return a response, whether it has no secrets, and the cached page it came from, if any.

        `draw` returns a response and whether it has no secrets; only then is it cached.
        """
        key = find_key(request)
        if key is None:
            return *draw(), None
        asked, stamp = time.monotonic(), read_stamp()
        with self._lock:
            drawing = self._drawing.setdefault(key, threading.Lock())
        try:
            with drawing:
                page = self._recall(key, stamp, asked)
                if page is not None:
                    return page.make_response(), True, page
                begun_at, begun = timezone.now(), time.monotonic()
                # Changes while the page is rendered give the next stamp.
                answer, is_open = draw()
                if not is_open:
                    return answer, False, None
                page = CachedPage(tuple(answer.items()), answer.content, stamp, begun_at, begun)
                self._keep(key, page)
                return answer, True, page
        finally:
            with self._lock:
                if not drawing.locked():
                    self._drawing.pop(key, None)

    def _recall(self, key: Hashable, stamp: Stamp, asked: float) -> CachedPage | None:
        with self._lock:
            page = self._kept.get(key)
            if page is None or abs(timezone.now() - page.begun_at) >= MOST_SECONDS:
                return None
            # While this request waited, another may have rendered a page newer than its stamp.
            if page.stamp != stamp and page.begun <= asked:
                return None
            self._kept.move_to_end(key)
            return page

    def _keep(self, key: Hashable, page: CachedPage) -> None:
        with self._lock:
            self._kept[key] = page
            self._kept.move_to_end(key)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


cached_pages = PageCache()
setting_changed.connect(lambda **_: cached_pages.clear(), weak=False)


def find_key(request: HttpRequest) -> Hashable | None:
    """Return everything that a stranger's page depends on besides the database; None if it is not cached.

    The caller ensures that the request comes from a stranger. Inside a transaction, the stamp does not see the
    transaction's own changes.
    """
    if request.method != "GET" or settings.DEBUG or "HX-Request" in request.headers or connection.in_atomic_block:
        return None
    cookies = tuple(sorted((name, text) for name, text in request.COOKIES.items() if name not in UNSEEN_COOKIES))
    query = request.META.get("QUERY_STRING", "")
    host = request.META.get("HTTP_HOST", "")
    if len(request.path_info) + len(query) + len(host) + sum(len(text) for _, text in cookies) > LONGEST_KEY:
        return None
    # SQLite's counters belong to one connection, and so to one thread.
    own = threading.get_ident() if connection.vendor == "sqlite" else 0
    return own, request.path_info, query, host, request.is_secure(), translation.get_language(), cookies


def read_stamp() -> Stamp:
    """Return a stamp that stays the same only while no row changes for this connection. One small query."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_current_snapshot()::text")
            return (cursor.fetchone()[0],)
        cursor.execute("PRAGMA data_version")
        version = cursor.fetchone()[0]
    raw = connection.connection
    if getattr(_own, "connection", None) is not raw:
        _own.connection, _own.number = raw, getattr(_own, "number", 0) + 1
    return _own.number, version, raw.total_changes
