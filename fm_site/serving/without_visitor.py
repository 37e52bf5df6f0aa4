"""Pages that know no visitor: what other sites embed and programs fetch. They are the same for everyone.

No cookie reaches them and none leaves, so that a page in another site's frame can neither follow a reader nor act for
one.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from operations.web.middleware import GetResponse

# The beginnings of their addresses.
PLACES = ("/embed/", "/feeds/", "/oembed/", "/calendar/")


def forget_visitor(answer: GetResponse) -> GetResponse:
    """Middleware, outside everything that reads a cookie."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PLACES):
            return answer(request)
        for header in ("HTTP_COOKIE", "HTTP_AUTHORIZATION"):
            request.META.pop(header, None)
        response = answer(request)
        response.cookies.clear()
        varies = [name.strip() for name in response.headers.get("Vary", "").split(",")]
        response.headers["Vary"] = ", ".join(name for name in varies if name.lower() not in ("cookie", ""))
        if not response.headers["Vary"]:
            del response.headers["Vary"]
        return response

    return respond
