"""Requests to a domain that the site had before (FM_FORMER_DOMAINS): pages are elsewhere now."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from operations.web.middleware import GetResponse

# Browsers ask again, because the domain may be someone else's one day.
ASKED_AGAIN = 24 * 3600
# Programs don't follow redirects with their token.
SERVED = ("/api/",)


def lead_to_new_domain(get_response: GetResponse) -> GetResponse:
    """Middleware: redirects pages of a former domain, with path and query, until its last day; then they are gone.

    What is sent is taken as ever, not redirected: a form of a page that was open meanwhile, whose session and token are
    of the former domain, a mail program's one-click unsubscription, which may not be redirected (RFC 8058), and calls
    of the API.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        if not settings.FM_FORMER_DOMAINS:
            return get_response(request)
        domain, _port = split_domain_port(request.META.get("HTTP_HOST", "").lower())
        last_day = settings.FM_FORMER_DOMAINS.get(domain)
        if last_day is None:
            return get_response(request)
        if timezone.now().date() > last_day:
            text = _("This site is now at %(site)s.") % {"site": settings.FM_SITE_URL}
            return HttpResponse(f"{text}\n", status=410, content_type="text/plain; charset=utf-8")
        if request.method not in ("GET", "HEAD") or request.path_info.startswith(SERVED):
            return get_response(request)
        answer = HttpResponsePermanentRedirect(settings.FM_SITE_URL + request.get_full_path())
        patch_cache_control(answer, max_age=ASKED_AGAIN)
        return answer

    return respond
