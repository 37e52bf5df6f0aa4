"""Middleware that restricts guests: they play against bots, or a friend who sends them a link, and change nothing else.

Nobody is accountable for a guest. So guests cannot write to people, join other battles of people or set anything up;
they can take back a rematch that they asked for, and read as much as strangers can. A page that they can only fill in,
and a form that they send, lead to *Keep this mage*, and from there back.
"""

from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _

from operations.web.middleware import GetResponse
from operations.web.problems import API, refuse

SAFE = ("GET", "HEAD", "OPTIONS")
# The names of the URLs to which a guest may post.
OPEN_TO_GUESTS = frozenset(
    {
        "challenges:decline",
        "challenges:join",
        "challenges:withdraw",
        "api:challenge_decline",
        "old_api:challenge_decline",
        "api:challenge_withdraw",
        "old_api:challenge_withdraw",
        "play",
        "api:play",
        "old_api:play",
        "stage",
        "keep",
        "studies:lesson",
        "studies:lesson_start",
        "account_logout",
        "accounts:devices",
        "accounts:language",
        "accounts:remove_device",
        "accounts:this_device",
        "challenges:rematch",
        "duels:battle",
        "duels:close_coach",
        "duels:draft",
        "studies:hint",
        "studies:puzzle",
        "duels:time",
        "duels:seen",
        "api:battle_orders",
        "old_api:battle_orders",
    }
)
# The names of pages that only serve to do what guests cannot.
CLOSED_TO_GUESTS = frozenset(
    {
        "challenges:new",
        "note_on_battle",
        "note_on_user",
        "studies:add_to_collection",
        "studies:import",
        "studies:notes",
        "studies:position",
        "studies:try",
        "accounts:about",
        "accounts:register_mage",
        "new_report",
        "account_change_password",
        "account_email",
        "account_set_password",
        "accounts:blocks",
        "accounts:bot",
        "accounts:browser_id",
        "accounts:calendar",
        "accounts:change_name",
        "accounts:mail_password",
        "accounts:preferences",
        "accounts:tokens",
        "accounts:vacation",
        "battle_hook",
        "battle_hooks",
        "accounts:hook",
        "accounts:hooks",
        "email_gateway:send_again",
        "inbox",
        "mfa_activate_totp",
        "mfa_index",
        "thread",
        "write_message",
    }
)


def restrict_guests(answer: GetResponse) -> GetResponse:
    """Middleware; place it after authentication and messages."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        if not getattr(request.user, "is_guest", False) or _is_open(request):
            return answer(request)
        message = _("Guests cannot do this. Sign up first: you keep your mage and your battles.")
        if request.path_info.startswith(API):
            return refuse(HTTPStatus.FORBIDDEN, "forbidden", message)
        if request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
            return render(request, "403.html", {"exception": message}, status=HTTPStatus.FORBIDDEN)
        messages.info(request, message)
        page = request.path if request.method in SAFE else urlsplit(request.headers.get("Referer", "")).path
        return HttpResponseRedirect(f"{reverse('keep')}?{urlencode({'next': page})}" if page else reverse("keep"))

    return guarded


def _is_open(request: HttpRequest) -> bool:
    try:
        name = resolve(request.path_info).view_name
    except Resolver404:
        return True
    return name not in CLOSED_TO_GUESTS if request.method in SAFE else name in OPEN_TO_GUESTS
