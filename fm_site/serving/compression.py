"""Compression and revalidation of pages without secrets.

A page for a stranger contains nothing worth stealing, so it may be compressed, and cached by a browser that asks
whether it has changed. Anything that belongs to a session, a token or a form is neither compressed (docs/security.md
says why) nor stored.
"""

import gzip
import hashlib
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from fm_site.serving.page_cache import cached_pages
from operations.web.middleware import GetResponse

# Pages and calls that anyone may read. Addresses with a secret in them, such as invite links, are left out.
OPEN = re.compile(
    r"/($|battles/|api/(v1/)?(battles|bots|challenges|ladder)/|challenges/(\d+/)?$|ladder/|statistics/|openings/|rules/"
    r"|users/|mages/"
    r"|privacy/|status/|dump/$|stage/$)"
)
KINDS = ("text/html", "text/plain", "application/json")
# Shorter answers fit into one packet anyway.
LEAST_BYTES = 500
# The weight with which a client rejects an encoding.
REFUSED = re.compile(r";q=0(\.0*)?$")
# Best first.
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "br": partial(brotli.compress, quality=4),
    "gzip": partial(gzip.compress, compresslevel=5, mtime=0),
}


def lighten(answer: GetResponse) -> GetResponse:
    """Middleware; place it outside everything that sets a cookie."""

    def respond(request: HttpRequest) -> Any:
        if not is_for_strangers(request):
            return answer(request)
        response, is_open, page = cached_pages.find(request, lambda: draw(request))
        if not is_open:
            return response
        known = get_conditional_response(request, etag=response.headers["ETag"], response=response)
        if known is None or known is response:
            return compress(request, response, page.encoded if page else {})
        return known

    def draw(request: HttpRequest) -> tuple[Any, bool]:
        """Return the response, and whether it has no secrets; if so, it gets an ETag."""
        response = answer(request)
        if not isinstance(response, HttpResponse) or not is_without_secrets(request, response):
            return response, False
        mark = hashlib.sha256(response.content).hexdigest()[:32]
        response.headers["ETag"] = f'W/"{mark}"'
        response.headers["Cache-Control"] = "no-cache, private"
        response.headers.pop("Expires", None)
        patch_vary_headers(response, ["Cookie", "Authorization", "Accept-Encoding"])
        return response, True

    return respond


def is_for_strangers(request: HttpRequest) -> bool:
    """Return whether a client without a session or token requests something that anyone may read."""
    return (
        request.method in ("GET", "HEAD")
        and OPEN.match(request.path_info) is not None
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and "Authorization" not in request.headers
    )


def is_without_secrets(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether this response to a stranger contains no form token and no cookie."""
    return (
        response.status_code == 200
        # Set when a form token was written into the page.
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
        and not response.cookies
        and response.headers.get("Content-Type", "").partition(";")[0] in KINDS
        and not response.has_header("Content-Encoding")
    )


def compress(request: HttpRequest, response: HttpResponse, done: dict[str, bytes]) -> HttpResponse:
    """Return the response in the best encoding that the client accepts; `done` caches the content in each encoding."""
    named = request.headers.get("Accept-Encoding", "").lower().replace(" ", "").split(",")
    accepted = {part.partition(";")[0] for part in named if not REFUSED.search(part)}
    if len(response.content) < LEAST_BYTES:
        return response
    best = next((encoding for encoding in ENCODINGS if encoding in accepted), None)
    if best is not None:
        if best not in done:
            done[best] = ENCODINGS[best](response.content)
        response.content = done[best]
        response.headers["Content-Encoding"] = best
    if response.has_header("Content-Length"):
        response.headers["Content-Length"] = str(len(response.content))
    return response
