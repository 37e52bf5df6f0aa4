"""The cookie by which a browser with notifications is known: it outlives sessions, as its subscription does."""

import hashlib
import secrets

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PUSH_COOKIE = "push"
# The longest that browsers keep a cookie; each visit to the notifications of a browser sets it anew.
LASTS = 400 * 24 * 3600
LONGEST = 64


def read_browser(request: HttpRequest) -> str:
    """Return the hash that names the request's browser, or "" if it has no cookie."""
    return _hash(request.COOKIES.get(PUSH_COOKIE, "")[:LONGEST])


def name_browser(request: HttpRequest, response: HttpResponseBase) -> str:
    """Return the hash that names the request's browser, and have it keep its cookie, a new one if it has none."""
    token = request.COOKIES.get(PUSH_COOKIE, "")[:LONGEST] or secrets.token_urlsafe(24)
    response.set_cookie(
        PUSH_COOKIE, token, max_age=LASTS, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )
    return _hash(token)


def _hash(token: str) -> str:
    # The token has 192 random bits: a slow hash would protect nothing.
    return hashlib.sha256(f"push browser:{token}".encode()).hexdigest() if token else ""
