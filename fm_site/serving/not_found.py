"""Shows our own "page not found" with DEBUG too, since `./run` is a real site."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.defaults import page_not_found

from operations.web.middleware import GetResponse


class OwnNotFoundPage:
    """The innermost middleware: with DEBUG, Django shows its list of URLs instead of our page.

    Our own 404 pages, for example for an expired link, stay.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if settings.DEBUG and response.status_code == 404 and request.resolver_match is None and is_page(response):
            return page_not_found(request, Http404())
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Handle Http404 raised by a view."""
        return page_not_found(request, exception) if settings.DEBUG and isinstance(exception, Http404) else None


def is_page(response: HttpResponseBase) -> bool:
    return isinstance(response, HttpResponse) and response.headers.get("Content-Type", "").startswith("text/html")
