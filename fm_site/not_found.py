"""An address of nothing gets the house's own page, with DEBUG too: `./run` is a house to live in, not a workbench."""

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.defaults import page_not_found


class OwnNotFoundPage:
    """The innermost middleware: with DEBUG, Django has put its list of addresses where our page belongs.

    A page of ours that says itself what is over, as of a link, stays.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if settings.DEBUG and response.status_code == 404 and request.resolver_match is None and is_page(response):
            return page_not_found(request, Http404())
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a view that found nothing."""
        return page_not_found(request, exception) if settings.DEBUG and isinstance(exception, Http404) else None


def is_page(response: HttpResponseBase) -> bool:
    """Tell a page from an answer for programs."""
    return isinstance(response, HttpResponse) and response.headers.get("Content-Type", "").startswith("text/html")
