"""Every error under /api/ is a problem (RFC 9457), whether it comes from a view, a middleware or Django itself."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from operations.web.middleware import GetResponse
from operations.web.problems import API, CONTENT_TYPE, TITLES, refuse_by_status

# Headers of an error response that clients need.
KEPT = ("Allow", "Retry-After", "WWW-Authenticate")


def send_problems(answer: GetResponse) -> GetResponse:
    """Middleware, outside all others that may reject a request: turn an HTML error for an API client into a problem."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if response.status_code < 400 or not request.path_info.startswith(API):
            return response
        if response.headers.get("Content-Type", "").startswith(CONTENT_TYPE):
            return response
        problem = refuse_by_status(response.status_code)
        for name in KEPT:
            if name in response.headers:
                problem[name] = response.headers[name]
        problem.cookies = response.cookies
        return problem

    return guarded


@require_safe
def show_problem(request: HttpRequest, code: str) -> HttpResponse:
    """Explain a problem's code, at the URL of its type."""
    if code not in TITLES:
        raise Http404(_("No such problem code."))
    return JsonResponse({"code": code, "title": TITLES[code]})
