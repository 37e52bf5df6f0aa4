"""Access to the API: by a token with scopes, or by a session with Django's CSRF check."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import resolve
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from accounts.held_users import may_open
from accounts.hold_middleware import refuse_by_api
from accounts.languages import follow_choice
from accounts.models import ApiToken, User
from accounts.selectors.hold import read_hold
from accounts.services.tokens import find_api_token
from operations.web.api_schema import read_object
from operations.web.problems import Refusal, refuse

SAFE = ("GET", "HEAD")


class RefusingCsrf(CsrfViewMiddleware):
    """Django's CSRF check, with its reason in a problem response instead of an HTML page."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return refuse(HTTPStatus.FORBIDDEN, "csrf", reason)


def let_in(request: HttpRequest) -> HttpResponse | None:
    """Set request.user to the token's owner, regardless of any session; return an error response for a bad token or
    a session without its CSRF token."""
    scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _let_in_by_token(request, text.strip())
    if not request.user.is_authenticated:
        return None  # a spectator has no session to forge; Scope decides who needs one
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
    request.token = token  # type: ignore[attr-defined]  # for accounts.trace_middleware
    return None


def _nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def token_of(request: HttpRequest) -> ApiToken | None:
    return getattr(request, "token", None)


def caller_of(request: HttpRequest) -> User:
    """Return the user who made a call that is restricted to users."""
    if not isinstance(request.user, User):
        answer = refuse(HTTPStatus.UNAUTHORIZED, "log_in", _("Log in, or send a token."))
        answer["WWW-Authenticate"] = "Bearer"
        raise Refusal(answer)
    return request.user


class Scope(HttpBearer):
    """The access that a call requires: a scope, if the caller sends a token. Only reading is open to strangers.

    It also reads the body, so that callers without access do not learn what is wrong with it.
    """

    scope: str
    users_only = True

    def __call__(self, request: HttpRequest) -> bool:
        reads = request.method in SAFE
        if self.users_only:
            caller_of(request)
        token = token_of(request)
        if token is not None:
            self._check(token)
            hold = None if reads else read_hold(token.user, timezone.now())
            if hold and not may_open(hold, resolve(request.path_info).view_name):
                raise Refusal(refuse_by_api(hold))
        if not reads:
            request.sent = read_object(request)  # type: ignore[attr-defined]  # for fm_site.api.routers.Parser
        return True

    def authenticate(self, request: HttpRequest, token: str) -> None:
        """Never called: `__call__` does everything."""

    def _check(self, token: ApiToken) -> None:
        if token.allows(self.scope):
            return
        detail = _("This call needs a token with the scope %(scope)s. Yours has: %(scopes)s.")
        detail %= {"scope": self.scope, "scopes": token.scopes}
        answer = refuse(HTTPStatus.FORBIDDEN, "scope", detail, needed=[self.scope], scopes=token.scopes.split())
        answer["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{self.scope}"'
        raise Refusal(answer)


class Read(Scope):
    """Read what anyone may see, or more with a token."""

    openapi_description = "A token with the scope `read`, as every token has it. Without one you are a spectator."
    scope = ApiToken.Scope.READ
    users_only = False


class ReadOwn(Scope):
    """Read the caller's own data."""

    openapi_description = "A token with the scope `read`, as every token has it."
    scope = ApiToken.Scope.READ


class Play(Scope):
    """Play."""

    openapi_description = "A token with the scope `play`."
    scope = ApiToken.Scope.PLAY


class Bot(Scope):
    """Run a bot."""

    openapi_description = "A token with the scope `bot`."
    scope = ApiToken.Scope.BOT


READ, READ_OWN, PLAY, BOT = Read(), ReadOwn(), Play(), Bot()
