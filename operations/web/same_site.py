"""Protection for forms without a CSRF token, which spare visitors a cookie before they choose anything."""

from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _


def refuse_other_sites(request: HttpRequest) -> None:
    """Raise PermissionDenied for a form that a page of another site sent. Browsers name the site of every form."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.get_host():
        raise PermissionDenied(_("Send this form from a page of this site."))
