"""Middleware that restricts guests: they play against bots, and change nothing else.

Nobody is accountable for a guest. So guests cannot write to people, join people's battles or set anything up; they can
read as much as strangers can.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from operations.web.problems import API, refuse

Answer = Callable[[HttpRequest], HttpResponseBase]
SAFE = ("GET", "HEAD", "OPTIONS")
# The names of the URLs to which a guest may post.
OPEN_TO_GUESTS = frozenset(
    {
        "play",
        "api:play",
        "old_api:play",
        "stage",
        "keep",
        "studies:lesson",
        "studies:lesson_start",
        "account_logout",
        "accounts:language",
        "duels:battle",
        "duels:draft",
        "duels:hint",
        "duels:time",
        "duels:seen",
        "api:battle_orders",
        "old_api:battle_orders",
    }
)


def restrict_guests(answer: Answer) -> Answer:
    """Middleware; place it after authentication."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        if request.method in SAFE or not getattr(request.user, "is_guest", False) or _is_open(request):
            return answer(request)
        message = _("Guests play against bots only. Sign up to do this.")
        if request.path_info.startswith(API):
            return refuse(HTTPStatus.FORBIDDEN, "forbidden", message)
        return render(request, "403.html", {"exception": message}, status=HTTPStatus.FORBIDDEN)

    return guarded


def _is_open(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).view_name in OPEN_TO_GUESTS
    except Resolver404:
        return True
