"""The wrapper around every API call: access, limits, idempotency keys, and ETags."""

import hashlib
import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.api_access import SAFE, let_in, token_of
from accounts.errors import KeyUsedOtherwise
from accounts.models import User
from accounts.services.idempotency import answer_once
from operations.web.client_address import client_address, network_of
from operations.web.problems import refuse
from operations.web.throttle import Throttle

View = Callable[..., HttpResponseBase]
WINDOW = 60
KEY = re.compile(r"[\x21-\x7e]{1,200}")
# Statuses of calls that were refused before they did anything, or failed: a repeated call is tried again.
NOT_KEPT = {
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.TOO_MANY_REQUESTS,
}


def guard(view: View) -> Callable[..., HttpResponse]:
    """Wrap a call. HEAD is answered like GET, and proxies store nothing."""

    @wraps(view)
    def guarded(request: HttpRequest, **given: Any) -> HttpResponse:
        method = request.method
        if method == "HEAD":
            request.method = "GET"
        refused = let_in(request)
        limit = Limit(request)
        answer = limit.refuse() or refused or answer_call(view, request, given)
        if token_of(request) is not None:  # only programs with a token plan their calls, unlike pages and strangers
            limit.add_headers(answer)
            answer = add_etag(request, answer)
        request.method = method  # so that the server omits the body of the response to HEAD
        return answer

    # let_in does the CSRF check, except for tokens: a browser never sends one by itself.
    return csrf_exempt(never_cache(guarded))


class Limit:
    """How many calls the caller may make in each minute: all tokens of a user together, and all strangers of a
    network."""

    def __init__(self, request: HttpRequest) -> None:
        now = timezone.now().timestamp()
        self.left_seconds = WINDOW - int(now) % WINDOW
        if isinstance(request.user, User):
            self.most, who = settings.FM_API_CALLS_PER_MINUTE, f"user/{request.user.pk}"
        else:
            self.most, who = settings.FM_API_CALLS_OF_NETWORK, f"network/{network_of(client_address(request))}"
        # By the minute of the clock, so that callers know when the next one begins.
        self.count = Throttle("api", self.most, WINDOW).count(f"{who}/{int(now) // WINDOW}")

    def refuse(self) -> HttpResponse | None:
        """Return the problem response if this call exceeds the limit."""
        if self.count <= self.most:
            return None
        message = ngettext(
            "You have made more than %(most)d calls in a minute. Wait %(seconds)d second.",
            "You have made more than %(most)d calls in a minute. Wait %(seconds)d seconds.",
            self.left_seconds,
        )
        detail = message % {"most": self.most, "seconds": self.left_seconds}
        answer = refuse(HTTPStatus.TOO_MANY_REQUESTS, "too_many", detail)
        answer["Retry-After"] = str(self.left_seconds)
        return answer

    def add_headers(self, answer: HttpResponse) -> None:
        """Say in the headers how many calls are left (draft-ietf-httpapi-ratelimit-headers)."""
        answer["RateLimit-Policy"] = f'"calls";q={self.most};w={WINDOW}'
        answer["RateLimit"] = f'"calls";r={max(0, self.most - self.count)};t={self.left_seconds}'


def answer_call(view: View, request: HttpRequest, given: dict[str, Any]) -> HttpResponse:
    """Make the call and return its answer. For an idempotency key that was used before, return the earlier answer."""
    key = request.headers.get("Idempotency-Key")
    if key is None or request.method in SAFE or not isinstance(request.user, User):
        return _as_response(view(request, **given))
    if not KEY.fullmatch(key):
        return refuse(
            HTTPStatus.BAD_REQUEST,
            "key",
            _("A key must have 1 to 200 visible ASCII characters. A UUID is a good choice."),
        )
    try:
        fingerprint = b"\n".join((str(request.method).encode(), request.get_full_path().encode(), request.body))
    except RequestDataTooBig:
        return _as_response(view(request, **given))  # the view rejects it

    def answer() -> tuple[dict[str, Any], bool]:
        response = _as_response(view(request, **given))
        is_kept = response.status_code < 500 and response.status_code not in NOT_KEPT
        text = response.content.decode()
        return {"status": response.status_code, "text": text, "headers": dict(response.items())}, is_kept

    try:
        stored, is_replay = answer_once(
            user=request.user, token=token_of(request), key=key, request=fingerprint, now=timezone.now(), answer=answer
        )
    except KeyUsedOtherwise as error:
        return refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "key", str(error))
    response = HttpResponse(stored["text"], status=stored["status"], headers=stored["headers"])
    if is_replay:
        response["Idempotency-Replayed"] = "true"
    return response


def _as_response(response: HttpResponseBase) -> HttpResponse:
    assert isinstance(response, HttpResponse), response
    return response


def add_etag(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Add an ETag to what was read with a token; return 304 if the caller has it already.

    fm_site.serving.compression adds those for strangers, and pages for users have none.
    """
    if request.method != "GET" or answer.status_code != HTTPStatus.OK:
        return answer
    answer["ETag"] = f'"{hashlib.sha256(answer.content).hexdigest()[:32]}"'
    known = get_conditional_response(request, etag=answer["ETag"], response=answer)
    if known is None or known is answer:
        return answer
    return _as_response(known)
