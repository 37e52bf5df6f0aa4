"""The desk in its reader's time: what Django's tables show, and what is typed into their forms."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from fm_site.notifications.selectors import zone_of


def keep_own_time(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: below the desk's address moments are those of the janitor's own zone. The other pages name zones
    where they write moments."""
    desk = reverse("admin:index")

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(desk):
            return get_response(request)
        with timezone.override(zone_of(request.user)):
            return get_response(request)

    return respond
