"""Making links into a challenge and revoking them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from challenges import services
from challenges.errors import ChallengeRefused
from challenges.views.visiting import choose_mage, get_row, lead_to_registration, render_page, user_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def make_link(request: HttpRequest, number: int) -> HttpResponse:
    """Make a link and show it, this once. A link here shows the challenge."""
    row = get_row(request, number)
    if request.method != "POST":
        return redirect("challenges:detail", number)
    mage = choose_mage(request)
    if mage is None:
        return lead_to_registration(request, reverse("challenges:detail", args=[number]))
    try:
        link, token = services.make_invite_link(number=number, mage=mage, now=timezone.now())
    except ChallengeRefused as error:
        messages.error(request, error.message)
        return redirect("challenges:detail", number)
    address = request.build_absolute_uri(reverse("challenges:join", args=[token]))
    return render_page(request, "link", {"challenge": row, "link": link, "address": address})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_link(request: HttpRequest, number: int, link_id: int) -> HttpResponse:
    """Let a link of mine work no longer. Raises Http404 for one that is not mine."""
    get_row(request, number)
    if request.method == "POST":
        if not services.revoke_invite_link(user=user_of(request), link_id=link_id, now=timezone.now()):
            raise Http404("You have no such link.")
        messages.success(request, "The link no longer works.")
    return redirect("challenges:detail", number)
