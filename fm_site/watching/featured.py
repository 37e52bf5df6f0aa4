"""The featured board: one battle that moves by itself, on the page of battles and on the front page.

Everyone sees the same: what all mages see. So a board is drawn once for all, and cached under the battle's stamp.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from duels.board.links import battle_url, replay_url
from duels.errors import BattleNotFound, UnreadableBattle
from duels.live.fragments import read_stamp
from duels.paces import is_live
from duels.rules_release import current_rules_release
from duels.selectors.battle_view import Window
from duels.selectors.featured import find_battle_of_the_week, list_featured_battles
from duels.selectors.spectators import EXHIBITION, count_spectators, count_watchers_of_exhibition
from duels.selectors.viewer import get_battle_for_viewer
from fm_site.watching.board import WatchedBoard, build_watched_board
from operations.web.numbers import parse_number
from studies.selectors.battle_replays import LOOKING_ON, find_replay_for_viewer, list_replay_turns
from studies.selectors.exhibitions import find_exhibition, get_exhibition, show_exhibition

KINDS = BATTLE, EXHIBITED, REPLAY = "battle", "exhibition", "replay"
# How long a board is kept: times and names can change without its stamp.
KEPT_SECONDS = 5
# One for each column on the board, and one for the turn in play.
STORIES = 8


@dataclass(frozen=True)
class Place:
    """What a board shows: a battle, an exhibition (by its id), or turn `seq` of a battle's replay (0: the first)."""

    kind: str
    number: int
    seq: int = 0

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.number}"

    @property
    def socket(self) -> str:
        """The address of the socket that says when it has changed. A replay waits for an exhibition to begin."""
        number = self.number if self.kind == BATTLE else EXHIBITION
        return f"/ws/boards/{number}/"


@dataclass(frozen=True)
class Featured:
    """A board with everything around it. Of a replay, `next_seq` is the turn after this one, 0 after the last."""

    place: Place
    board: WatchedBoard
    url: str
    is_live: bool = False
    spectators: int = 0
    next_seq: int = 0

    @property
    def mark(self) -> str:
        """Changes with every turn that was resolved."""
        return f"{self.place.key}.{self.board.last_label}"


def parse_place(text: str, seq: str = "") -> Place | None:
    """Read a key as pages send it back; None if it is none."""
    kind, _, digits = text.partition("-")
    number = parse_number(digits)
    return Place(kind, number, parse_number(seq) or 0) if kind in KINDS and number is not None else None


def list_places(*, now: datetime, only_bots: bool = False) -> Iterator[Place]:
    """Return what there is to show, the first one first: battles of people, the exhibition, the battle of the week.

    An exhibition that is over comes last: it is shown until the next one begins. Who takes the first one only has no
    other looked for.
    """
    if not only_bots:
        yield from (Place(BATTLE, number) for number in list_featured_battles(now=now))
    exhibition = find_exhibition()
    if exhibition is not None and exhibition.is_running:
        yield Place(EXHIBITED, exhibition.pk)
    week = None if only_bots else find_battle_of_the_week(now=now)
    if week is not None:
        yield Place(REPLAY, week)
    if exhibition is not None and not exhibition.is_running:
        yield Place(EXHIBITED, exhibition.pk)


def draw_featured(
    places: Iterable[Place], *, now: datetime, shown: Place | None = None, goes_on: bool = False
) -> SafeString:
    """Return the first of these boards as HTML; "" if there is nothing to show.

    A page that shows `shown` keeps it where nothing comes before it. `goes_on`: its reader asks for the next one.
    """
    ordered = places if shown is None else _order(list(places), shown, goes_on=goes_on)
    return next((drawn for place in ordered if (drawn := draw_place(place, now=now))), mark_safe(""))


def _order(places: Sequence[Place], shown: Place, *, goes_on: bool) -> Sequence[Place]:
    keys = [place.key for place in places]
    at = keys.index(shown.key) + 1 if goes_on and shown.key in keys else 0
    return [*places[at:], *places[:at], shown]


def draw_place(place: Place, *, now: datetime) -> SafeString | None:
    """Return the board as HTML, the same for everyone in the active language; None if there is nothing to show."""
    stamp = read_stamp(place.number) if place.kind != EXHIBITED else _read_stamp_of_exhibition(place.number)
    if stamp is None:
        return None
    key = _write_key(place, stamp)
    drawn = cache.get(key)
    if drawn is None:
        featured = find_featured(place, now=now)
        if featured is None:
            return None
        drawn = str(render_to_string("watch/_featured.html", {"featured": featured, "board": featured.board}))
        cache.set(key, drawn, KEPT_SECONDS)
    return SafeString(drawn)


def _write_key(place: Place, stamp: tuple[Any, ...]) -> str:
    parts = (current_rules_release(), place, stamp, get_language())
    return f"featured:{hashlib.sha256(repr(parts).encode()).hexdigest()}"


def _read_stamp_of_exhibition(pk: int) -> tuple[Any, ...] | None:
    exhibition = get_exhibition(pk=pk)
    return None if exhibition is None else (exhibition.seed, exhibition.turns, exhibition.is_running)


def find_featured(place: Place, *, now: datetime) -> Featured | None:
    """Return what there is to show, through the eyes of spectators; None if it is gone or this release cannot read
    it."""
    try:
        if place.kind == EXHIBITED:
            return _show_exhibition(place, now)
        return _show_battle(place, now) if place.kind == BATTLE else _show_replay(place, now)
    except (BattleNotFound, UnreadableBattle):
        return None


def _show_battle(place: Place, now: datetime) -> Featured | None:
    view = get_battle_for_viewer(number=place.number, user=None, window=Window(latest=STORIES))
    if view.battle.is_over:
        return _show_end(place, now)
    return Featured(
        place,
        build_watched_board(view, now=now),
        battle_url(place.number),
        is_live=is_live(view.terms.pace),
        spectators=count_spectators([place.number])[place.number],
    )


def _show_end(place: Place, now: datetime) -> Featured | None:
    """Return the last turn of a battle that has ended while a page showed it."""
    turns = list_replay_turns(number=place.number)
    return _look_back(place, turns[-1].seq, now) if turns else None


def _show_replay(place: Place, now: datetime) -> Featured | None:
    turns = list_replay_turns(number=place.number)
    if not turns:
        return None
    seqs = [turn.seq for turn in turns]
    at = seqs.index(place.seq) if place.seq in seqs else 0
    featured = _look_back(place, seqs[at], now)
    return replace(featured, next_seq=(*seqs, 0)[at + 1]) if featured else None


def _look_back(place: Place, seq: int, now: datetime) -> Featured | None:
    replay = find_replay_for_viewer(number=place.number, user=None, seq=seq, eyes=LOOKING_ON)
    if replay is None:
        return None
    return Featured(place, build_watched_board(replay.past, now=now), replay_url(place.number, seq))


def _show_exhibition(place: Place, now: datetime) -> Featured | None:
    exhibition = get_exhibition(pk=place.number)
    if exhibition is None:
        return None
    return Featured(
        place,
        build_watched_board(show_exhibition(exhibition).view, now=now),
        reverse("exhibition", args=[exhibition.pk]),
        spectators=count_watchers_of_exhibition(),
    )
