"""The ladders, open to everyone."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.terms import name_ruleset
from fm_site.pages.statistics import name_rulesets, read_choice, read_kind
from ladder.models import Ladder
from ladder.selectors.ladders import (
    find_ladder,
    find_on_ladder,
    list_ladder_rulesets,
    list_movers,
    list_neighbours,
    list_own_places,
    read_ladder_page,
)
from ladder.selectors.ratings import list_remembered
from operations.web.numbers import read_number
from pictures.page_cards import make_page_card

PAGE_LENGTH = 50
LONGEST_SEARCH = 20


@require_safe
def show_ladder(request: HttpRequest) -> HttpResponse:
    """Show the duel ladder, or the melee ladder (?kind=melee): of one ?ruleset=, of retired mages (?retired=1), below
    the place ?after=, or of names that begin with ?q=."""
    kind = read_kind(request)
    rulesets = list_ladder_rulesets(kind)
    ruleset = read_choice(request, "ruleset", rulesets, "")
    retired = request.GET.get("retired") == "1" and not ruleset
    ladder = find_ladder(kind=kind, ruleset=ruleset, retired=retired)
    search = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    context = {
        "nav_current": "ladder",
        "card": make_page_card("ladder", path=request.path),
        "kind": kind,
        "ruleset": ruleset,
        "title": name_ruleset(ruleset) if ruleset else "",
        "rulesets": name_rulesets(rulesets),
        "retired": retired,
        "ladder": ladder,
        "search": search,
        "here": f"kind={kind}" + (f"&ruleset={ruleset}" if ruleset else "") + ("&retired=1" if retired else ""),
    }
    return render(request, "ladder/ladder.html", context | _read_rows(request, ladder, kind, search))


def _read_rows(request: HttpRequest, ladder: Ladder | None, kind: str, search: str) -> dict[str, Any]:
    """Return the rows that the page shows; the sections beside the list only on the first page."""
    if ladder is None:
        return {"standings": ()}
    if search:
        return {"standings": find_on_ladder(ladder, search)}
    after = _read_place(request)
    page = read_ladder_page(ladder, after=after, length=PAGE_LENGTH)
    context: dict[str, Any] = {"standings": page.rows, "page": page, "before": max(0, after - PAGE_LENGTH)}
    if after or ladder.retired:
        return context
    own = list_own_places(ladder, request.user) if request.user.is_authenticated else []
    near = list_neighbours(ladder, own[0].place) if own and own[0].place > len(page.rows) else []
    context |= {"own": own, "own_names": {row.mage.name for row in own}, "neighbours": near}
    if not ladder.ruleset:
        context |= {"movers": list_movers(ladder), "remembered": list_remembered(kind)}
    return context


def _read_place(request: HttpRequest) -> int:
    return read_number(request, "after") or 0
