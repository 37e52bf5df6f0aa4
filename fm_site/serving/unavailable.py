"""The response while the database is unavailable: 503 with Retry-After, without a traceback."""

import sys
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy
from redis.exceptions import ConnectionError as ValkeyAway
from redis.exceptions import TimeoutError as ValkeyHangs

from fm_site.upkeep.logs import is_secret_name
from operations.programs import ProgramFailed
from operations.web.middleware import GetResponse

log = structlog.get_logger(__name__)
WORDS = gettext_lazy("The site is briefly unavailable. Try again in a moment.")
# The last one is storage on another machine, which rclone reaches.
AWAY = (OperationalError, InterfaceError, ValkeyAway, ValkeyHangs, ProgramFailed)
# PostgreSQL's error for a change while it is read-only, as during a switch to a replica.
READ_ONLY = "25006"
MARK = "away_because"
CSRF_FIELD = "csrfmiddlewaretoken"


def note_failure(sender: Any, request: HttpRequest | None = None, **_: Any) -> None:
    """Record on the request that a service is unavailable, whichever view or middleware noticed."""
    error = sys.exc_info()[1]
    if request is not None and is_away(error):
        setattr(request, MARK, type(error).__name__)


def is_away(error: BaseException | None) -> bool:
    """Return whether a service does not answer, or takes no changes for now."""
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) == READ_ONLY
    return isinstance(error, AWAY)


got_request_exception.connect(note_failure)


def answer_unavailable(get_response: GetResponse) -> GetResponse:
    """Middleware, outside everything that reads the database."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        reason = getattr(request, MARK, None)
        if response.status_code != 500 or reason is None:
            return response
        log.warning("unavailable", error=reason, path=request.path_info)
        return refuse_for_now(request)

    return respond


def read_sent_form(request: HttpRequest) -> dict[str, Any]:
    """Return the fields of the form that was sent and not stored, to send it again, and the texts in it, to copy.
    Nothing if one of its fields is secret."""
    if request.method != "POST":
        return {}
    try:
        fields = [(name, value) for name, values in request.POST.lists() for value in map(str, values)]
    except (BadRequest, SuspiciousOperation, OSError):  # too large, or no form
        return {}
    written = [(name, value) for name, value in fields if name != CSRF_FIELD]
    if not written or any(is_secret_name(name) for name, _ in written):
        return {}
    texts = [value for _, value in written if len(value.split()) > 1]
    return {"fields": fields, "texts": texts, "path": request.get_full_path()}


def refuse_for_now(request: HttpRequest) -> HttpResponse:
    """Return 503 with Retry-After, as a page or as a problem."""
    answer: HttpResponse
    if request.path_info.startswith("/api/"):
        problem = {"type": "about:blank", "title": "Service Unavailable", "status": 503, "detail": str(WORDS)}
        answer = JsonResponse(problem, status=503, content_type="application/problem+json")
    else:
        answer = HttpResponse(render_to_string("503.html", read_sent_form(request)), status=503)
    answer["Retry-After"] = str(settings.FM_RETRY_AFTER_SECONDS)
    answer["Cache-Control"] = "no-store"
    return answer
