"""The page with a user's open sessions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.push_cookie import read_browser
from accounts.requests import UserRequest
from accounts.services.logins import end_other_logins, list_logins, record_login
from accounts.services.push_devices import hand_over_browser, remove_devices_of_other_sessions
from accounts.sessions import hash_session_key
from operations.web.client_address import client_address


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_logins(request: UserRequest) -> HttpResponse:
    """List the user's open sessions; a POST ends all others."""
    if request.method == "POST":
        here = request.session.session_key or ""
        end_other_logins(user=request.user, session_key=here)
        remove_devices_of_other_sessions(user=request.user, session_key=hash_session_key(here))
        messages.info(request, _("You are logged out everywhere else, and other devices get no more notifications."))
        return redirect("usersessions_list")
    logins = list_logins(user=request.user, now=timezone.now())
    context = {"sessions": logins, "here": hash_session_key(request.session.session_key or "")}
    return render(request, "usersessions/usersession_list.html", context)


def hand_over(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    """Receive Django's signal of a login, a guest's too."""
    browser = read_browser(request)
    if browser:
        hand_over_browser(browser=browser, user=user, session_key=hash_session_key(request.session.session_key or ""))


def record_session(request: HttpRequest, **_kwargs: Any) -> None:
    """Receive allauth's signals of a login and of a new password, which gives the session a new key."""
    if not request.user.is_authenticated:
        return
    if not request.session.session_key:
        request.session.save()
    record_login(
        user=request.user,
        session_key=request.session.session_key or "",
        address=client_address(request),
        user_agent=request.headers.get("User-Agent", ""),
        now=timezone.now(),
    )
