"""The facts about a request for log lines and metrics: its id, its battle, its duration.

The id is in the response too (X-Request-ID), so that a player's report leads to its log lines. A trusted proxy may set
it.
"""

import re
import secrets
from time import monotonic

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from operations.metrics import DATABASE_SECONDS, REQUEST_SECONDS, measure_database
from operations.web.client_address import is_from_trusted_proxy
from operations.web.middleware import GetResponse

HEADER = "X-Request-ID"
SHAPE = re.compile(r"[\w.:-]{8,64}")
NUMBERED = re.compile(r"/battles/(\d{1,18})(?:/|$)")


def mark_request(get_response: GetResponse) -> GetResponse:
    """Middleware, the first one."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        marks = {"request_id": find_id(request)}
        battle = NUMBERED.search(request.path_info)
        if battle:
            marks["battle"] = battle[1]
        # Threads are reused; values bound by the last request must not appear on this one's lines.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(**marks)
        response = measure(request, get_response) if settings.FM_METRICS else get_response(request)
        response.headers[HEADER] = marks["request_id"]
        return response

    return respond


def find_id(request: HttpRequest) -> str:
    """Return the id that a trusted proxy gave this request, or a new one."""
    given = str(request.META.get("HTTP_X_REQUEST_ID", ""))
    if SHAPE.fullmatch(given) and settings.FM_TRUSTED_PROXIES and is_from_trusted_proxy(request.META):
        return given
    return secrets.token_hex(8)


def measure(request: HttpRequest, get_response: GetResponse) -> HttpResponseBase:
    kind = "api" if request.path_info.startswith("/api/") else "page"
    begin = monotonic()
    with measure_database() as spent:
        response = get_response(request)
        DATABASE_SECONDS.labels(kind=kind).observe(spent())
    REQUEST_SECONDS.labels(kind=kind, status=f"{response.status_code // 100}xx").observe(monotonic() - begin)
    return response
