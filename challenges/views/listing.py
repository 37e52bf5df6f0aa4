"""The list of challenges, with filters that stay as they were left."""

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from challenges.filters import COOKIE, LIFE_OF_COOKIE, Filters
from challenges.rows import ChallengeRow
from challenges.selectors import count_missing_votes, list_open_challenges
from challenges.views.visiting import list_busy_mages, name_free_mages, pick, render_page

PER_PAGE = 20


@require_safe
def show_challenges(request: HttpRequest) -> HttpResponse:
    """What waits for my answer, what I take part in, and a page of what others offer, filtered."""
    rows = list_open_challenges(viewer=request.user)
    filters = Filters.of(request.GET, request.COOKIES.get(COOKIE, ""), known=request.user.is_authenticated)
    others = pick(rows, "open_to_join")
    found = [row for row in others if filters.wanted.takes(row)]
    page = _turn_to(request, found)
    free = name_free_mages(request.user)
    context = {
        "waiting_for_you": pick(rows, "waiting_for_you"),
        "taking_part": pick(rows, "taking_part"),
        "open_to_join": [row for row in page if row.is_open_to_all],
        "by_invitation": [row for row in page if not row.is_open_to_all],
        "page": page,
        "votes": count_missing_votes(user=request.user) if isinstance(request.user, User) else {},
        "filters": filters,
        "hidden": len(others) - len(found),
        "free_mages": free,
        "busy_mages": [] if free else list_busy_mages(request.user),
    }
    answer = render_page(request, "list", context)
    if filters.chosen_now:
        answer.set_cookie(
            COOKIE, filters.query, max_age=LIFE_OF_COOKIE, httponly=True, samesite="Lax", path=request.path
        )
    return answer


def _turn_to(request: HttpRequest, rows: list[ChallengeRow]) -> "Page[ChallengeRow]":
    """The page asked for: what the visitor may join comes first, then what anyone may, then the rest."""
    ordered = sorted(rows, key=lambda row: (not row.is_open_to_all, not row.may_join, row.number))
    return Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
