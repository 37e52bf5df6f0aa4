"""The search of battles that are over."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.selectors.battle_lists import list_battles_by_number
from ladder.selectors.search import search_battles
from notifications.selectors.notices import zone_of
from operations.web.numbers import read_number
from studies.search_form import SearchForm


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show the form, and the newest battles that match; `?before=` shows older ones."""
    form = SearchForm(request.GET or None, zone=zone_of(request.user))
    context: dict[str, Any] = {"nav_current": "watch", "form": form}
    if form.is_valid():
        found = search_battles(form.read(), older_than=read_number(request, "before"))
        reader = request.user if request.user.is_authenticated else None
        rows = list_battles_by_number(found.numbers, reader)
        # A battle that goes back to an earlier turn leaves the records a little later.
        context["found"] = [row for row in rows if row.battle.is_over]
        context["is_first"] = "before" not in request.GET
        if found.has_more:
            query = request.GET.copy()
            query["before"] = str(found.numbers[-1])
            context["older"] = query.urlencode()
    return render(request, "studies/search.html", context, status=422 if form.errors else 200)
