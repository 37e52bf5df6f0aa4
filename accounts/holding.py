"""The door at which whoever was warned or is suspended is held: he reads, and goes on when he may.

A warning waits on a page of its own until it is acknowledged. Who is suspended reads everything he could read before;
what would change something is refused, with the reason, its end, and where to appeal.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from accounts.problems import API, refuse
from accounts.selectors.moderation import Hold, read_hold

Answer = Callable[[HttpRequest], HttpResponseBase]
SAFE = ("GET", "HEAD", "OPTIONS")
# Open to whoever is held: the page that says why, the way out, the file of styles, and links out of mails.
ALWAYS_OPEN = ("/accounts/standing/", "/accounts/logout/", "/static/", "/mail/")
# What somebody who is suspended may still change: his own account, and what he reports. He keeps his mages too: else
# they would be lost to him for doing nothing, which is all that he may do.
OPEN_TO_SUSPENDED = ("/accounts/", "/reports/")
CLOSED_TO_SUSPENDED = ("/accounts/mages/new/",)


def hold_back(answer: Answer) -> Answer:
    """Middleware, behind the one that knows who asks."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated or not user.is_held or request.path_info.startswith(ALWAYS_OPEN):
            return answer(request)
        hold = read_hold(user, timezone.now())
        if hold is None or _may_pass(request, hold):
            return answer(request)
        return _hold(request, hold)

    return guarded


def _may_pass(request: HttpRequest, hold: Hold) -> bool:
    path = request.path_info
    if hold.warnings:
        return path.startswith(API) and request.method in SAFE
    own = path.startswith(OPEN_TO_SUSPENDED) and not path.startswith(CLOSED_TO_SUSPENDED)
    return request.method in SAFE or own


def _hold(request: HttpRequest, hold: Hold) -> HttpResponseBase:
    if request.path_info.startswith(API):
        return refuse_by_api(hold)
    if request.method in SAFE:
        following = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('accounts:standing')}?{following}")
    return render(request, "accounts/standing.html", {"hold": hold, "refused": True}, status=403)


def refuse_by_api(hold: Hold) -> JsonResponse:
    """Return the refusal for programs."""
    return refuse(403, "held", hold.say())
