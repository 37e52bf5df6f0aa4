"""Where a form may lead back to."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def is_own_address(wanted: str, request: HttpRequest) -> bool:
    """Say whether `wanted` is an address of this site, from its first slash on. A name of a page is none: whoever
    redirects would look it up."""
    here = {request.get_host()}
    return wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, here, require_https=request.is_secure())
