"""Requests with a known user, the mage named in an address, and the page that a request asks to continue to."""

from django.http import Http404, HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.models import Mage, User
from accounts.selectors.names import find_mage, find_nearest_name
from operations.text.suggestions import suggest


class UserRequest(HttpRequest):
    """The request of a logged-in user, for the signatures of views that `login_required` guards."""

    user: User


def user_of(request: HttpRequest) -> User:
    """Return the logged-in user of a request whose type does not guarantee one."""
    assert isinstance(request.user, User)
    return request.user


def get_mage_or_404(name: str, *, suggests: bool = False) -> Mage:
    """Return the mage named in an address, ignoring case, alive or dead. Raises Http404, which `suggests` the nearest
    name on pages that people read."""
    mage = find_mage(name)
    if mage is None:
        message = _("No mage is called %(name)s.") % {"name": name[:20]}
        raise Http404(suggest(message, find_nearest_name(name)) if suggests else message)
    return mage


def next_address(request: HttpRequest, default: str = "/") -> str:
    """Return the page of this site that the request asks to continue to, or `default`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if is_own_address(wanted, request) else default


def is_own_address(wanted: str, request: HttpRequest) -> bool:
    """Return whether `wanted` is an address of this site, starting with a slash. URL names do not
    count, since a redirect would look them up."""
    here = {request.get_host()}
    return wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, here, require_https=request.is_secure())
