"""Access to the API: by a token, or by a session with Django's CSRF check."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.holding import refuse_by_api
from accounts.languages import follow_choice
from accounts.models import ApiToken
from accounts.selectors import read_hold
from accounts.services import find_api_token
from duels.errors import BattleNotFound, NotYourCombatant, UnreadableBattle
from duels.names import listed
from fm_site.operations.problems import refuse

Call = Callable[..., JsonResponse]


class RefusingCsrf(CsrfViewMiddleware):
    """Django's CSRF check, with its reason in a JSON response instead of an HTML page."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return refuse(HTTPStatus.FORBIDDEN, "csrf", reason)


def api_call(*methods: str) -> Callable[[Call], Callable[..., HttpResponse]]:
    """Turn a function into an API view: only `methods`, never cached, JSON for every error.

    A call with `Authorization: Bearer …` acts only for the token's owner, even if it also has a session.
    """

    def decorate(call: Call) -> Callable[..., HttpResponse]:
        @wraps(call)
        def wrapped(request: HttpRequest, **given: int) -> HttpResponse:
            if request.method not in methods:
                answer = refuse(
                    HTTPStatus.METHOD_NOT_ALLOWED, "method", _("Use %(methods)s.") % {"methods": listed(methods, "or")}
                )
                answer["Allow"] = ", ".join(methods)
                return answer
            return _let_in(request) or _call(call, request, given)

        # _let_in does the CSRF check, except for tokens: a browser never sends one by itself.
        return csrf_exempt(never_cache(wrapped))

    return decorate


def _let_in(request: HttpRequest) -> HttpResponse | None:
    """Set request.user; return an error response for a bad token or a session without its CSRF token."""
    scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _let_in_by_token(request, text.strip())
    if not request.user.is_authenticated:
        return None  # a spectator has no session to forge; send_orders says what it needs
    check = RefusingCsrf(_nothing)
    check.process_request(request)
    return check.process_view(request, _nothing, (), {})


def _let_in_by_token(request: HttpRequest, text: str) -> HttpResponse | None:
    token = find_api_token(text=text, now=timezone.now())
    if token is None:
        answer = refuse(HTTPStatus.UNAUTHORIZED, "token", _("This token is unknown, revoked or expired."))
        answer["WWW-Authenticate"] = 'Bearer error="invalid_token"'
        return answer
    request.user = token.user
    follow_choice(token.user)
    request.token = token  # type: ignore[attr-defined]  # for accounts.tracing
    reads = request.method in ("GET", "HEAD")
    scope = ApiToken.Scope.READ if reads else ApiToken.Scope.PLAY
    if not token.allows(scope):
        detail = _("This call needs a token with the scope %(scope)s. Yours has: %(scopes)s.")
        detail %= {"scope": scope, "scopes": token.scopes}
        answer = refuse(HTTPStatus.FORBIDDEN, "scope", detail, needed=[scope], scopes=token.scopes.split())
        answer["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{scope}"'
        return answer
    hold = None if reads else read_hold(token.user, timezone.now())
    return refuse_by_api(hold) if hold else None


def _nothing(request: HttpRequest) -> HttpResponse:
    del request
    return HttpResponse()


def _call(call: Call, request: HttpRequest, given: dict[str, int]) -> JsonResponse:
    try:
        return call(request, **given)
    except BattleNotFound as error:
        return refuse(HTTPStatus.NOT_FOUND, "no_battle", str(error))
    except NotYourCombatant as error:
        return refuse(HTTPStatus.FORBIDDEN, "not_your_mage", str(error), mages=list(error.mages))
    except UnreadableBattle as error:
        return refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unreadable", str(error))
