"""The search over finished battles, and results to dismiss."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import UserRequest
from duels.search_form import SearchForm
from duels.selectors.battle_lists import list_battles_by_number
from duels.services.finish import mark_results_seen
from ladder.selectors.search import search_battles
from notifications.selectors.notices import zone_of
from operations.web.numbers import parse_number, read_number

MOST_DISMISSED = 500


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
        context["rows"] = [row for row in rows if row.battle.is_over]
        context["is_first"] = "before" not in request.GET
        if found.has_more:
            query = request.GET.copy()
            query["before"] = str(found.numbers[-1])
            context["older"] = query.urlencode()
    return render(request, "duels/search.html", context, status=422 if form.errors else 200)


@require_POST
@never_cache
@login_required
def dismiss_results(request: UserRequest) -> HttpResponse:
    """Remove results from the home page: those of the battles numbered in the form."""
    numbers = [number for text in request.POST.getlist("number") if (number := parse_number(text)) is not None]
    mark_results_seen(user=request.user, numbers=numbers[:MOST_DISMISSED])
    return redirect("home")
