"""Lists of battles: current and finished ones, a search over the finished ones, and results to dismiss."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import UserRequest
from duels.search_form import SearchForm
from duels.selectors.battle_lists import list_battles_by_number, page_finished_battles, page_running_battles
from duels.services.finish import mark_results_seen
from ladder.selectors.search import search_battles
from notifications.selectors.notices import zone_of

MOST_DISMISSED = 500


@require_safe
@never_cache
def list_battles(request: HttpRequest) -> HttpResponse:
    """Show the current battles and the latest finished ones, or further pages of one of the two lists."""
    reader = request.user if request.user.is_authenticated else None
    before, after = read_number(request, "before"), read_number(request, "after")
    ended_before, ended_after = read_number(request, "ended_before"), read_number(request, "ended_after")
    only_running = before is not None or after is not None
    only_ended = not only_running and (ended_before is not None or ended_after is not None)
    context: dict[str, object] = {"nav_current": "watch", "is_first": not only_running and not only_ended}
    if not only_ended:
        context["running"] = page_running_battles(reader, older_than=before, newer_than=after)
    if not only_running:
        context["ended"] = page_finished_battles(reader, older_than=ended_before, newer_than=ended_after)
    return render(request, "duels/battles.html", context)


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


def read_number(request: HttpRequest, name: str) -> int | None:
    """Return a number from the address, or None if there is no valid one."""
    return parse_number(request.GET.get(name, ""))


def parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 15 else None
