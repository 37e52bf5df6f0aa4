"""The keyed hash under which a trace of a user is stored: nobody can reverse it without the site's key."""

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

DEVICE_COOKIE = "device"
LONGEST = 64
SALT = "accounts.traces"


def hash_trace(kind: str, value: str) -> str:
    return salted_hmac(SALT, f"{kind}:{value}", algorithm="sha256").hexdigest()


def read_device(request: HttpRequest) -> str:
    """Return the text by which the request's browser is known, or "" if no user has logged in there lately."""
    return request.COOKIES.get(DEVICE_COOKIE, "")[:LONGEST]
