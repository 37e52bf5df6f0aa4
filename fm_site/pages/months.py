"""A page for each month: who rose most, who won what. Everlasting scores are on the ladder."""

import re
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ladder.selectors.months import Month, find_first_month, read_month
from league.selectors.titles import list_titles_won
from pictures.page_cards import make_page_card
from studies.selectors.month import count_puzzles

MONTH = re.compile(r"([12][0-9]{3})-(0[1-9]|1[0-2])")


@require_safe
def show_latest_month(request: HttpRequest) -> HttpResponse:
    """Redirect to this month."""
    return redirect("month", Month.of(timezone.now()).key)


@require_safe
def show_month(request: HttpRequest, month: str) -> HttpResponse:
    """Show a month, "2026-11", from that of the first battle to the present one."""
    found = MONTH.fullmatch(month)
    today = Month.of(timezone.now())
    first = min(find_first_month() or today, today)
    shown = Month(date(int(found[1]), int(found[2]), 1)) if found else None
    if shown is None or not first <= shown <= today:
        raise Http404(_("There is no page for that month."))
    context = {
        "nav_current": "ladder",
        "card": make_page_card("ladder", path=request.path),
        "month": shown,
        "report": read_month(shown),
        "puzzles": count_puzzles(shown.begin, shown.end),
        "titles": list_titles_won(shown.begin, shown.end),
        "is_running": shown == today,
        "earlier": shown.before if shown > first else None,
        "later": shown.after if shown < today else None,
    }
    return render(request, "month.html", context)
