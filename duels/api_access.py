"""Who calls the API: the owner of a token, or of a session (then with Django's CSRF check)."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.holding import refuse_by_api
from accounts.selectors import read_hold
from accounts.services import get_user_for_token
from duels.errors import BattleNotFound, NotYourCombatant, UnreadableBattle

Call = Callable[..., JsonResponse]


class RefusingCsrf(CsrfViewMiddleware):
    """Django's check, with its reason as the answer instead of its page."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return refuse(HTTPStatus.FORBIDDEN, "csrf", reason)


def refuse(status: int, code: str, message: str, **more: Any) -> JsonResponse:
    """Return an answer that says what was wrong, for programs and for people."""
    return JsonResponse({"error": code, "message": message} | more, status=status)


def api_call(*methods: str) -> Callable[[Call], Callable[..., HttpResponse]]:
    """Make a view of the API: only `methods`, never stored, JSON for every refusal.

    A call with `Authorization: Bearer …` acts for the token's owner alone, whatever session comes with it.
    """

    def decorate(call: Call) -> Callable[..., HttpResponse]:
        @wraps(call)
        def wrapped(request: HttpRequest, number: int) -> HttpResponse:
            if request.method not in methods:
                answer = refuse(HTTPStatus.METHOD_NOT_ALLOWED, "method", f"Use {' or '.join(methods)}.")
                answer["Allow"] = ", ".join(methods)
                return answer
            return _let_in(request) or _call(call, request, number)

        # The check is made in _let_in, and not for tokens: a browser never sends one by itself.
        return csrf_exempt(never_cache(wrapped))

    return decorate


def _let_in(request: HttpRequest) -> HttpResponse | None:
    """Set request.user; return a refusal for a bad token or a session without its CSRF token."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        user = get_user_for_token(text=text.strip(), now=timezone.now())
        if user is None:
            answer = refuse(HTTPStatus.UNAUTHORIZED, "token", "This token is not known here.")
            answer["WWW-Authenticate"] = "Bearer"
            return answer
        request.user = user
        hold = read_hold(user, timezone.now()) if request.method not in ("GET", "HEAD") else None
        return refuse_by_api(hold) if hold else None
    if not request.user.is_authenticated:
        return None  # a spectator: there is no session to borrow, and send_orders says what it needs
    check = RefusingCsrf(_nothing)
    check.process_request(request)
    return check.process_view(request, _nothing, (), {})


def _nothing(_: HttpRequest) -> HttpResponse:
    return HttpResponse()


def _call(call: Call, request: HttpRequest, number: int) -> JsonResponse:
    try:
        return call(request, number)
    except BattleNotFound as error:
        return refuse(HTTPStatus.NOT_FOUND, "no_battle", str(error))
    except NotYourCombatant as error:
        return refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error), mages=list(error.mages))
    except UnreadableBattle as error:
        return refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unreadable", str(error))
