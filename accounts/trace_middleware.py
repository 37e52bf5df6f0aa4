"""Recording where users connect from, once a day for each login (stored as accounts.models.second_accounts says).

Nothing is stored on a device without consent: only who competes is asked, and only their browsers keep an ID.
"""

import secrets
from collections.abc import Callable
from datetime import date, datetime

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.selectors.competing import may_know_browsers
from accounts.services.traces import record_traces
from accounts.trace_hash import DEVICE_COOKIE, read_device
from operations.web.client_address import client_address

log = structlog.get_logger(__name__)
DEVICE_AGE = 30 * 24 * 3600
SEEN_ON = "traces_noted_on"
DAY = 24 * 3600
# Traces that this process has recorded, so that it need not ask the cache on every call.
MOST_REMEMBERED = 10_000
_traced: set[tuple[str, str, date]] = set()


def trace_logins(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a logged-in user's first page of the day records their traces."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = getattr(request, "user", None)
        if user is None or not user.is_authenticated:
            return response
        now = timezone.now()
        if hasattr(request, "token"):  # a program has no cookies
            _trace_program(request.token, client_address(request), now)
            return response
        if request.session.get(SEEN_ON) == now.date().isoformat():
            return response
        device = (read_device(request) or secrets.token_urlsafe(16)) if may_know_browsers(user) else ""
        if not _record(user, client_address(request), device, now):
            return response
        request.session[SEEN_ON] = now.date().isoformat()
        if device:
            response.set_cookie(
                DEVICE_COOKIE,
                device,
                max_age=DEVICE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        elif DEVICE_COOKIE in request.COOKIES:
            response.delete_cookie(DEVICE_COOKIE, samesite="Lax")
        return response

    return respond


def trace_again(request: HttpRequest) -> None:
    """Have this request record traces even if one of today has: the user's consent has changed."""
    request.session.pop(SEEN_ON, None)


def _record(user: User, address: str, device: str, now: datetime) -> bool:
    """Record traces; return whether the database took them.

    While it takes no changes (a full disk, a replica), pages go on without: nobody asks for them to be recorded.
    """
    try:
        record_traces(user=user, address=address, device=device, now=now)
    except (OperationalError, InternalError) as error:
        log.warning("traces not recorded", error=type(error).__name__)
        return False
    return True


def _trace_program(token: ApiToken, address: str, now: datetime) -> None:
    """Record the address of a program with a token, once a day."""
    trace = (token.hash, address, now.date())
    if trace in _traced:
        return
    if cache.add(f"traces/{token.user_id}/{address}/{now.date()}", 1, DAY):
        _record(token.user, address, "", now)
    if len(_traced) >= MOST_REMEMBERED:
        _traced.clear()
    _traced.add(trace)
