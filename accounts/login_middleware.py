"""Middleware that leads people who have to log in first back to the page where they were."""

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url

from operations.web.middleware import GetResponse


def return_to_form(answer: GetResponse) -> GetResponse:
    """Middleware for forms sent after the session has ended: logging in leads back to the page with the form, as far
    as the browser names it. The form's own address may be no page."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        page = urlsplit(request.headers.get("Referer", ""))
        if request.method == "POST" and response.status_code == 302 and page.netloc == request.get_host():
            login = resolve_url(settings.LOGIN_URL)
            if urlsplit(response.headers["Location"]).path == login != request.path:
                shown = page._replace(scheme="", netloc="", fragment="").geturl()
                response.headers["Location"] = f"{login}?{urlencode({'next': shown}, safe='/')}"
        return response

    return respond
