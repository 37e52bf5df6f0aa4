"""Middleware that restricts users who have a warning to acknowledge or are suspended.

A warned user sees a page with the warning until they acknowledge it. A suspended user can read everything they could
read before; requests that change something are rejected with the reason, the end and the address for appeals.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from accounts.selectors.hold import Hold, read_hold
from fm_site.operations.web.problems import API, refuse

Answer = Callable[[HttpRequest], HttpResponseBase]
SAFE = ("GET", "HEAD", "OPTIONS")
# Always open: the page that explains the hold, logging out, static files, and links in emails.
ALWAYS_OPEN = ("/accounts/hold/", "/accounts/logout/", "/accounts/language/", "/static/", "/mail/")
# Suspended users may still change their own account and send reports. They may also keep their mages; otherwise they
# would lose them through inactivity they cannot avoid.
OPEN_TO_SUSPENDED = ("/accounts/", "/reports/")
CLOSED_TO_SUSPENDED = ("/accounts/mages/new/",)


def restrict_held_users(answer: Answer) -> Answer:
    """Middleware; place it after authentication."""

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
        return redirect(f"{reverse('accounts:hold')}?{following}")
    return render(request, "accounts/hold.html", {"hold": hold, "refused": True}, status=403)


def refuse_by_api(hold: Hold) -> JsonResponse:
    """Return the problem response for API clients."""
    return refuse(403, "held", hold.say())
