"""The live part of a battle page for visitors who are not logged in: all of them see the same, so it is rendered once.

It is rendered for an anonymous visitor, so it contains only public facts, and it is served only to anonymous visitors.
It is rendered again when the battle's stamp has changed, after a wake-up, and after MOST_SECONDS.
"""

import hashlib
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import CharField, Count, F, Max, Min, OuterRef, QuerySet, Subquery, Sum, TextField
from django.db.models.functions import MD5, Cast
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.utils import translation
from django.utils.cache import patch_vary_headers

from duels.battle_page import STORIES_SHOWN, draw_battle
from duels.errors import BattleNotFound, UnreadableBattle
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet
from duels.models.battle import STUCK_FIELDS
from duels.selectors.battle_view import Window
from duels.selectors.viewer import get_battle_for_viewer
from operations.database.prepared_query import PreparedQuery

# How long to serve a fragment with an unchanged stamp: names, records and texts about time can change without it.
MOST_SECONDS = 2.0
MOST_KEPT = 200
ADDRESS = re.compile(r"/battles/(\d{1,9})/")

Key = tuple[int, str]


@dataclass(frozen=True)
class Fragment:
    """A rendered fragment: `version` is a hash of its bytes, `changed` names the parts that differ from the one
    before."""

    html: str
    version: str
    parts: dict[str, str]
    changed: tuple[str, ...]
    stamp: tuple[Any, ...]
    drawn_at: float


class FragmentCache:
    """The cached fragments of this process, the least recently used first. One thread renders a fragment, others wait
    for it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Fragment] = OrderedDict()
        self._stale: set[Key] = set()
        self._drawing: dict[Key, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, number: int, language: str) -> Fragment | None:
        """Return the current fragment; None if the page does not exist."""
        key = number, language
        with self._lock:
            drawing = self._drawing.setdefault(key, threading.Lock())
        try:
            with drawing:
                return self._get(key)
        finally:
            with self._lock:
                if key not in self._kept and not drawing.locked():
                    self._drawing.pop(key, None)

    def _get(self, key: Key) -> Fragment | None:
        stamp = read_stamp(key[0])  # before rendering: later changes give the next stamp
        if stamp is None:
            return None
        with self._lock:
            kept = self._kept.get(key)
            is_stale = key in self._stale
            self._stale.discard(key)
        if kept and kept.stamp == stamp and not is_stale and time.monotonic() - kept.drawn_at < MOST_SECONDS:
            return kept
        fresh = _draw(key, stamp, kept)
        if fresh is not None:
            with self._lock:
                self._kept[key] = fresh
                self._kept.move_to_end(key)
                if len(self._kept) > MOST_KEPT:
                    gone, _ = self._kept.popitem(last=False)
                    self._drawing.pop(gone, None)
        return fresh

    def forget(self, number: int) -> None:
        """Render the battle's fragments again at the next request."""
        with self._lock:
            self._stale.update(key for key in self._kept if key[0] == number)


fragment_cache = FragmentCache()


def read_stamp(number: int) -> tuple[Any, ...] | None:
    """Return, in one query, a stamp that changes with nearly everything that strangers can see of the battle, or
    None if there is no such battle. Never show it to anyone."""
    return next(iter(_read_stamp(number=number)), None)


@PreparedQuery
def _read_stamp(number: int) -> "QuerySet[Battle, tuple[Any, ...]]":
    battle = OuterRef("pk")
    open_sheets = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True)
    clocks, stops = Deadline.objects.filter(battle=battle), ClockStop.objects.filter(battle=battle, ended_at=None)
    fighting = Combatant.objects.filter(battle=battle)
    found = Battle.objects.filter(number=number).annotate(
        state_mark=MD5(Cast("state", TextField())),
        ready=_total(open_sheets.filter(ready=True), Sum(F("combatant") * F("combatant"))),
        asked=_total(open_sheets, Count("pk")),
        ends=_total(clocks, Max("ends_at")),
        first_ends=_total(clocks, Min("ends_at")),
        forfeits=_total(clocks, Max("forfeit_at")),
        steps=_total(clocks, Max(Cast("step", CharField()))),
        stops=_total(stops, Sum("pk")),
        wishes=_total(fighting, Sum("pause_minutes")),
        wishing=_total(fighting, Count("pause_minutes")),
        left=_total(fighting.filter(standing="in"), Count("pk")),
    )
    facts = ("pk", "status", "seq", "attempt", "stage", "event_count", "finished_at", "state_mark", *STUCK_FIELDS)
    totals = ("ready", "asked", "ends", "first_ends", "forfeits", "steps", "stops", "wishes", "wishing", "left")
    return found.values_list(*facts, *totals)


def _total(rows: QuerySet[Any], total: Any) -> Subquery:
    """Return a total over rows of the battle as a column."""
    battle = "stage__battle" if rows.model is OrderSheet else "battle"
    return Subquery(rows.order_by().values(of=F(battle)).annotate(total=total).values("total"))


def _draw(key: Key, stamp: tuple[Any, ...], last: Fragment | None) -> Fragment | None:
    number, language = key
    nobody = _ask_as_nobody(number)
    try:
        with translation.override(language):
            view = get_battle_for_viewer(number=number, user=nobody.user, window=Window(STORIES_SHOWN))
            answer = draw_battle(nobody, view)
    except (BattleNotFound, UnreadableBattle):  # the page itself says so
        return None
    html = answer.content.decode()
    parts = answer.board.versions  # type: ignore[attr-defined]
    before = last.parts if last else {}
    changed = tuple(name for name in {**parts, **before} if parts.get(name) != before.get(name))
    version = hashlib.sha256(html.encode()).hexdigest()[:20]
    return Fragment(html, version, parts, changed, stamp, time.monotonic())


def _ask_as_nobody(number: int) -> HttpRequest:
    """Return an anonymous request for the fragment."""
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = f"/battles/{number}/"
    request.GET = QueryDict("fragment=board")
    request.META = {"SERVER_NAME": "localhost", "SERVER_PORT": "80"}
    request.user = AnonymousUser()
    return request


def find_fragment(number: int, language: str) -> Fragment | None:
    """Return the fragment of battle `number` for everyone who is not logged in, in that language; None if there is
    none."""
    return fragment_cache.get(number, language)


def serve_fragments(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: answers requests for the fragment without a session, before any work for a user is done.

    A page that has this version gets 304. Any other request reaches the view.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        found = ADDRESS.fullmatch(request.path_info)
        is_plain = request.method == "GET" and request.META.get("QUERY_STRING") == "fragment=board"
        if not (found and is_plain) or request.COOKIES.get(settings.SESSION_COOKIE_NAME):
            return get_response(request)
        fragment = find_fragment(int(found[1]), translation.get_language_from_request(request))
        if fragment is None:
            return get_response(request)
        etag = f'"{fragment.version}"'
        known = etag in (
            mark.strip().removeprefix("W/") for mark in request.headers.get("If-None-Match", "").split(",")
        )
        answer = HttpResponseNotModified() if known else HttpResponse(fragment.html)
        answer["ETag"] = etag
        answer["Cache-Control"] = "no-cache, private"
        patch_vary_headers(answer, ("Cookie", "Accept-Language"))
        return answer

    return respond
