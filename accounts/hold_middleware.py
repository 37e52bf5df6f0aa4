"""Middleware that restricts users who have a warning to acknowledge or are suspended.

A warned user sees a page with the warning until they acknowledge it. A suspended user can read everything they could
read before; requests that change something are refused with the reason, the end and the address for appeals, unless
accounts.held_users lists them.
"""

from urllib.parse import urlencode

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from accounts.held_users import may_open
from accounts.selectors.hold import Hold, read_hold
from operations.web.middleware import GetResponse
from operations.web.problems import API, refuse

SAFE = ("GET", "HEAD", "OPTIONS")
# Files that the pages need.
ALWAYS_OPEN = "/static/"


def restrict_held_users(answer: GetResponse) -> GetResponse:
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
    try:
        url = resolve(request.path_info).view_name
    except Resolver404:
        url = ""
    if may_open(hold, url):
        return True
    return request.method in SAFE and (not hold.warnings or request.path_info.startswith(API))


def _hold(request: HttpRequest, hold: Hold) -> HttpResponseBase:
    if request.path_info.startswith(API):
        return refuse_by_api(hold)
    if request.method in SAFE:
        following = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('accounts:hold')}?{following}")
    return render(request, "accounts/hold.html", {"hold": hold, "refused": True}, status=403)


def refuse_by_api(hold: Hold) -> JsonResponse:
    return refuse(403, "held", hold.say())
