"""The page of battles to watch, the featured board alone, and the page of an exhibition of the bots."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from duels.selectors.battle_lists import (
    BOTS,
    FOLLOWED,
    PEOPLE,
    BattlePage,
    ShownBattle,
    list_battles_by_number,
    page_finished_battles,
    page_running_battles,
)
from duels.selectors.spectators import count_spectators
from fm_site.watching import featured
from operations.web.numbers import read_number
from pictures.selectors.small_boards import SmallBoard, read_small_boards
from studies.selectors.exhibitions import find_running_exhibition, get_exhibition, show_exhibition

FILTERS = {PEOPLE: gettext_lazy("People"), FOLLOWED: gettext_lazy("Followed"), BOTS: gettext_lazy("Bots")}
# How many the first page shows of each list.
ON_NOW, JUST_FINISHED = 12, 5


@dataclass(frozen=True)
class Tile:
    """A running battle: its small board, None if this release cannot read it, and how many spectators it has."""

    shown: ShownBattle
    board: SmallBoard | None
    spectators: int


@dataclass(frozen=True)
class OnNow:
    """The running battles of a page."""

    page: BattlePage
    tiles: tuple[Tile, ...]

    @property
    def watching(self) -> int:
        return sum(tile.spectators for tile in self.tiles)


@require_safe
@never_cache
def show_battles(request: HttpRequest) -> HttpResponse:
    """Show the featured board with the current and the latest battles, or further pages of one of the two lists."""
    reader = request.user if isinstance(request.user, User) else None
    whose = request.GET.get("show", PEOPLE)
    if whose not in FILTERS or (whose == FOLLOWED and reader is None):
        whose = PEOPLE
    before, after = read_number(request, "before"), read_number(request, "after")
    ended_before, ended_after = read_number(request, "ended_before"), read_number(request, "ended_after")
    only_running = before is not None or after is not None
    only_ended = not only_running and (ended_before is not None or ended_after is not None)
    context: dict[str, object] = {"nav_current": "watch", "whose": whose}
    if only_running:
        context["running"] = page_running_battles(reader, whose=whose, older_than=before, newer_than=after)
        return render(request, "watch/list.html", context)
    if only_ended:
        context["ended"] = page_finished_battles(reader, whose=whose, older_than=ended_before, newer_than=ended_after)
        return render(request, "watch/list.html", context)
    now = timezone.now()
    running = page_running_battles(reader, whose=whose, size=ON_NOW)
    places = list(featured.list_places(now=now, only_bots=whose == BOTS))
    # Without scripts, `?next=` asks for another board.
    shown = featured.parse_place(request.GET.get("next", ""))
    context |= {
        "filters": [(name, words) for name, words in FILTERS.items() if name != FOLLOWED or reader is not None],
        "featured_html": featured.draw_featured(places, now=now, shown=shown, goes_on=True),
        "only_bots": whose == BOTS,
        "on_now": OnNow(running, _make_tiles(running.battles)),
        "ended": page_finished_battles(reader, whose=whose, size=JUST_FINISHED),
        "week": _find_week(places),
        "exhibition": find_running_exhibition() if whose != FOLLOWED and not running.battles else None,
    }
    return render(request, "watch/watch.html", context)


@require_safe
@never_cache
def show_featured(request: HttpRequest) -> HttpResponse:
    """Return the featured board alone, the same for everyone, for a page that shows one: `?shown=` is what it shows,
    which it keeps unless it may leave it (`free=1`) or its reader asks for the next one (`next=1`)."""
    now = timezone.now()
    shown = featured.parse_place(request.GET.get("shown", ""), request.GET.get("turn", ""))
    may_leave, goes_on = request.GET.get("free") == "1", request.GET.get("next") == "1"
    if shown is not None and not may_leave and not goes_on:
        html = featured.draw_place(shown, now=now)
        if html:
            return HttpResponse(html)
    places = featured.list_places(now=now, only_bots=request.GET.get("only") == BOTS)
    return HttpResponse(featured.draw_featured(places, now=now, shown=shown, goes_on=goes_on))


@require_safe
@never_cache
def show_exhibition_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an exhibition with the sentence of each of its turns."""
    exhibition = get_exhibition(pk=pk)
    if exhibition is None:
        raise Http404(_("This exhibition is over. Exhibitions are deleted after a day."))
    shown = show_exhibition(exhibition)
    context = {
        "nav_current": "watch",
        "exhibition": shown,
        "stories": shown.view.stories,
        "featured_html": featured.draw_place(featured.Place(featured.EXHIBITED, pk), now=timezone.now()),
    }
    return render(request, "watch/exhibition.html", context)


def _make_tiles(rows: Sequence[ShownBattle]) -> tuple[Tile, ...]:
    boards, spectators = read_small_boards(rows), count_spectators(row.number for row in rows)
    return tuple(Tile(row, boards.get(row.number), spectators[row.number]) for row in rows)


def _find_week(places: Sequence[featured.Place]) -> ShownBattle | None:
    numbers = [place.number for place in places if place.kind == featured.REPLAY]
    return next(iter(list_battles_by_number(numbers)), None) if numbers else None
