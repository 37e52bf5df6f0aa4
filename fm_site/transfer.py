"""Compression and revalidation of pages without secrets.

A page for a stranger holds nothing that anyone would steal, so it may be compressed and kept by a browser that asks
whether it has changed. Whatever belongs to a session, a token or a form is neither compressed (docs/security.md says
why) nor stored.
"""

import gzip
import hashlib
import re
from collections.abc import Callable

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

Answer = Callable[[HttpRequest], HttpResponseBase]
# Pages and calls that anyone may read. Addresses with a secret in them, such as invite links, are left out.
OPEN = re.compile(
    r"/($|battles/|api/(v1/)?battles/|challenges/(\d+/)?$|ladder/|statistics/|openings/|rules/|users/|mages/|privacy/|dump/$)"
)
KINDS = ("text/html", "text/plain", "application/json")
# Shorter answers fit into one packet anyway.
LEAST_BYTES = 500
BROTLI_QUALITY, GZIP_LEVEL = 4, 5


def lighten(answer: Answer) -> Answer:
    """Middleware; place it outside everything that sets a cookie."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if not isinstance(response, HttpResponse) or not is_without_secrets(request, response):
            return response
        mark = hashlib.sha256(response.content).hexdigest()[:32]
        response.headers["ETag"] = f'W/"{mark}"'
        response.headers["Cache-Control"] = "no-cache, private"
        response.headers.pop("Expires", None)
        patch_vary_headers(response, ["Cookie", "Authorization", "Accept-Encoding"])
        known = get_conditional_response(request, etag=response.headers["ETag"], response=response)
        if known is None or known is response:
            return compress(request, response)
        return known

    return respond


def is_without_secrets(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a stranger gets this answer, without a form's token or a cookie in it."""
    return (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and OPEN.match(request.path_info) is not None
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and "Authorization" not in request.headers
        # Set when a form's token was written into the page.
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
        and not response.cookies
        and response.headers.get("Content-Type", "").partition(";")[0] in KINDS
        and not response.has_header("Content-Encoding")
    )


def compress(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the answer in the best encoding that the client accepts."""
    accepted = {part.partition(";")[0].strip() for part in request.headers.get("Accept-Encoding", "").split(",")}
    if len(response.content) < LEAST_BYTES:
        return response
    if "br" in accepted:
        response.content = brotli.compress(response.content, quality=BROTLI_QUALITY)
        response.headers["Content-Encoding"] = "br"
    elif "gzip" in accepted:
        response.content = gzip.compress(response.content, GZIP_LEVEL, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
    if response.has_header("Content-Length"):
        response.headers["Content-Length"] = str(len(response.content))
    return response
