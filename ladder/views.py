"""The standings, open to everybody."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.models import ScoreKind
from ladder.selectors import describe, standings

PAGE_LENGTH = 100


@require_safe
def show_standings(request: HttpRequest) -> HttpResponse:
    """Show living mages by duel score, or by melee score with ?kind=melee; a hundred to a page."""
    wanted = request.GET.get("kind")
    kind = wanted if wanted in ScoreKind.values else ScoreKind.DUEL.value
    page = Paginator(standings(kind), PAGE_LENGTH).get_page(request.GET.get("page"))
    rows = list(enumerate(describe(page.object_list), start=page.start_index()))
    retired = describe(standings(kind, retired=True)[:PAGE_LENGTH])
    context = {"kind": kind, "rows": rows, "page": page, "retired": list(retired), "nav_current": "ladder"}
    return render(request, "ladder/standings.html", context)
