"""The desk in the reader's time zone, for Django's tables and forms."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from notifications.selectors.notices import zone_of


def use_readers_time_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: use the janitor's time zone on all pages under the admin. Other pages name the zone beside each
    time."""
    desk = reverse("admin:index")

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(desk):
            return get_response(request)
        with timezone.override(zone_of(request.user)):
            return get_response(request)

    return respond
