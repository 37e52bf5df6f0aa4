"""Pages for strangers, drawn once and served as they are until a row of the database changes.

What a page was drawn from is named by a stamp of the database: PostgreSQL's snapshot, or SQLite's counters of changes.
The same stamp means that a query would find the same rows. Time and the cache server don't change the stamp, so a page
is kept for MOST_SECONDS at most. Only answers without secrets are kept (`transfer.py` decides).
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
class KeptPage:
    """An answer with status 200: its headers and content, and its content in each encoding asked for so far."""

    headers: tuple[tuple[str, str], ...]
    content: bytes
    stamp: Stamp
    # When drawing it began: by the clock of the site, and by one that nobody sets.
    begun_at: datetime
    begun: float
    encoded: dict[str, bytes] = field(default_factory=dict)

    def make_response(self) -> HttpResponse:
        """Return a new, unencoded answer."""
        return HttpResponse(self.content, headers=dict(self.headers))


class PageShelf:
    """The pages kept by this process, the least used first. One thread draws a page, others wait for it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, KeptPage] = OrderedDict()
        self._drawing: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Draw every page again."""
        with self._lock:
            self._kept.clear()

    def find(self, request: HttpRequest, draw: Callable[[], tuple[Any, bool]]) -> tuple[Any, bool, KeptPage | None]:
        """Return an answer, whether it has no secrets, and the page that it was made of if it is kept.

        `draw` returns an answer and whether it has no secrets; only then it is kept.
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
                # What changes while the page is drawn makes the next stamp.
                answer, is_open = draw()
                if not is_open:
                    return answer, False, None
                page = KeptPage(tuple(answer.items()), answer.content, stamp, begun_at, begun)
                self._keep(key, page)
                return answer, True, page
        finally:
            with self._lock:
                if not drawing.locked():
                    self._drawing.pop(key, None)

    def _recall(self, key: Hashable, stamp: Stamp, asked: float) -> KeptPage | None:
        with self._lock:
            page = self._kept.get(key)
            if page is None or abs(timezone.now() - page.begun_at) >= MOST_SECONDS:
                return None
            # While this request waited, another may have drawn what is newer than its stamp.
            if page.stamp != stamp and page.begun <= asked:
                return None
            self._kept.move_to_end(key)
            return page

    def _keep(self, key: Hashable, page: KeptPage) -> None:
        with self._lock:
            self._kept[key] = page
            self._kept.move_to_end(key)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


shelf = PageShelf()
setting_changed.connect(lambda **_: shelf.clear(), weak=False)


def find_key(request: HttpRequest) -> Hashable | None:
    """Return all that a stranger's page depends on besides the database; None if it is not kept.

    The caller makes sure that the request comes from a stranger. Inside a transaction, the stamp does not see the
    transaction's own changes.
    """
    if request.method != "GET" or settings.DEBUG or "HX-Request" in request.headers or connection.in_atomic_block:
        return None
    cookies = tuple(sorted((name, text) for name, text in request.COOKIES.items() if name not in UNSEEN_COOKIES))
    query = request.META.get("QUERY_STRING", "")
    host = request.META.get("HTTP_HOST", "")
    if len(request.path_info) + len(query) + len(host) + sum(len(text) for _, text in cookies) > LONGEST_KEY:
        return None
    # What SQLite counts is known to one connection only, and so to one thread.
    own = threading.get_ident() if connection.vendor == "sqlite" else 0
    return own, request.path_info, query, host, request.is_secure(), translation.get_language(), cookies


def read_stamp() -> Stamp:
    """Return what is the same only while no row changes that this connection sees. One small query."""
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
