"""Requests with a known user, and the page that a request asks to continue to."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User


class UserRequest(HttpRequest):
    """The request of a logged-in user, for the signatures of views that `login_required` guards."""

    user: User


def user_of(request: HttpRequest) -> User:
    """Return the logged-in user of a request whose type does not guarantee one."""
    assert isinstance(request.user, User)
    return request.user


def next_address(request: HttpRequest, default: str = "/") -> str:
    """Return the page of this site that the request asks to continue to, or `default`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if is_own_address(wanted, request) else default


def is_own_address(wanted: str, request: HttpRequest) -> bool:
    """Return whether `wanted` is an address of this site, starting with a slash. URL names do not
    count, since a redirect would look them up."""
    here = {request.get_host()}
    return wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, here, require_https=request.is_secure())
