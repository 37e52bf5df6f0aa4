"""Every error under /api/ is a problem (RFC 9457), whether it comes from a view, a middleware or Django itself."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import is_valid_path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.api_access import SAFE
from operations.web.middleware import GetResponse
from operations.web.problems import API, CONTENT_TYPE, TITLES, refuse, refuse_by_status

# Headers of an error response that clients need.
KEPT = ("Allow", "Retry-After", "WWW-Authenticate")


def send_problems(answer: GetResponse) -> GetResponse:
    """Middleware, outside all others that may reject a request: turn an HTML error for an API client into a problem."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        if lacks_slash(request):
            detail = _("The address ends with a slash: %(path)s") % {"path": f"{request.path}/"}
            return refuse(HTTPStatus.NOT_FOUND, "not_found", detail)
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


def lacks_slash(request: HttpRequest) -> bool:
    """Return whether this is a call that changes something, without the slash at its end. CommonMiddleware would
    redirect it, and most clients follow with a GET, which does nothing and succeeds."""
    path = request.path_info
    is_call = request.method not in SAFE and path.startswith(API) and not path.endswith("/")
    return is_call and not is_valid_path(path) and bool(is_valid_path(f"{path}/"))


@require_safe
def show_problem(request: HttpRequest, code: str) -> HttpResponse:
    """Explain a problem's code, at the URL of its type."""
    if code not in TITLES:
        raise Http404(_("No such problem code."))
    return JsonResponse({"code": code, "title": TITLES[code]})
