"""Pages of the whole site for everyone: the front page, what is waiting, and privacy."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.live.present_people import note_reader
from accounts.models import User
from duels.waiting_for_reader import read_waiting
from fm_site.pages.front_duel import answer_front_duel
from fm_site.pages.site_pages import read_page_text
from fm_site.watching.featured import draw_featured, list_places
from pictures.page_cards import make_page_card


@csrf_exempt  # so that no visitor gets a cookie before they play; answer_front_duel refuses forms of other sites
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_front(request: HttpRequest) -> HttpResponse:
    """Show the front page with its duel; a POST plays the first turn, or previews the chosen gestures."""
    if isinstance(request.user, User) and not request.user.is_guest:
        return redirect("play")
    duel = answer_front_duel(request)
    if isinstance(duel, HttpResponse):
        return duel
    now = timezone.now()
    context = {
        "nav_current": "home",
        "card": make_page_card("front", path="/"),
        "front_duel": duel,
        "featured_html": draw_featured(list_places(now=now), now=now),
    }
    return render(request, "front.html", context, status=duel.status if duel else 200)


@require_safe
@never_cache
def show_waiting(request: HttpRequest) -> HttpResponse:
    """Return how much is waiting for the reader, and how much news is unseen, for pages that stay open."""
    note_reader(request.user)
    waiting = read_waiting(request)
    return JsonResponse({"count": waiting.count, "news": waiting.news})


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """Show what the site stores about its users, for how long, and why."""
    return render(request, "privacy.html", {"page": read_page_text("privacy")})
