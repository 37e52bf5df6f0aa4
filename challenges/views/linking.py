"""Making links into a challenge and revoking them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from challenges import services
from challenges.errors import ChallengeRefused
from challenges.rows import ChallengeRow
from challenges.selectors import find_live_link
from challenges.views.visiting import choose_mage, get_row, lead_to_registration, render_page, user_of

LONGEST_TOKEN = 64


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def make_link(request: HttpRequest, number: int) -> HttpResponse:
    """Make a link, and show it at an address of its own, which may be loaded again. Any other link here shows the
    challenge, or the battle that it has become."""
    row = get_row(request, number)
    if request.method != "POST":
        return show_link(request, row)
    mage = choose_mage(request)
    if mage is None:
        return lead_to_registration(request, reverse("challenges:detail", args=[number]))
    try:
        _, token = services.make_invite_link(number=number, mage=mage, now=timezone.now())
    except ChallengeRefused as error:
        messages.error(request, error.message)
        return redirect("challenges:detail", number)
    return redirect(f"{reverse('challenges:make_link', args=[number])}?{urlencode({'token': token})}")


def show_link(request: HttpRequest, row: ChallengeRow) -> HttpResponse:
    """The page of a link of mine, with who has joined. Its address holds the link, of which only a hash is kept."""
    token = request.GET.get("token", "")
    link = find_live_link(token=token, now=timezone.now()) if 0 < len(token) <= LONGEST_TOKEN else None
    if link is None or link.challenge.number != row.number or link.made_by_id != user_of(request).pk:
        return redirect("challenges:detail", row.number)
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
