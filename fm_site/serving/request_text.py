"""Rejects requests with characters that cannot be stored, before a view sees them.

PostgreSQL cannot store or search for NUL or lone surrogates. They only reach us from programs that probe the site.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase

from operations.web.middleware import GetResponse
from operations.web.problems import API

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
UNWRITABLE = re.compile("[\0\ud800-\udfff]")
OTHER_CHARSET = re.compile(r"""charset\s*=\s*(?!["']?utf[-_]?8["']?\s*(?:;|$))[^;]*""", re.IGNORECASE)
# Emails posted here have their own charset and parser (email_gateway.receive.webhooks).
FOR_MAIL = "/mail/"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
HEADERS = ("HTTP_USER_AGENT", "HTTP_REFERER", "HTTP_AUTHORIZATION", "HTTP_ACCEPT_LANGUAGE", "HTTP_X_FORWARDED_FOR")


def refuse_unwritable_text(answer: GetResponse) -> GetResponse:
    """Middleware, before everything that reads a form, URL, header or cookie.

    Such a character gives 404 in a URL and 400 anywhere else.
    """

    def guarded(request: HttpRequest) -> HttpResponseBase:
        if has_unwritable([request.path_info]):
            raise Http404("The address contains an invalid character.")
        refuse_other_charsets(request)
        if has_unwritable(_list_texts(request)):
            raise BadRequest("The request contains an invalid character.")
        return answer(request)

    return guarded


def name_charset(application: Application) -> Application:
    """WSGI middleware: replace any charset but UTF-8 by one that Python does not know. Django decodes the URL with the
    charset before any middleware runs, and fails for codecs that are not for text (rot13)."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "CONTENT_TYPE" in environ:
            environ["CONTENT_TYPE"] = OTHER_CHARSET.sub("charset=unknown", environ["CONTENT_TYPE"])
        return application(environ, start_response)

    return answer


def has_unwritable(texts: Iterable[str]) -> bool:
    """Return whether a text contains a character that cannot be stored."""
    return any(UNWRITABLE.search(text) for text in texts)


def _list_texts(request: HttpRequest) -> Iterable[str]:
    yield from (request.META.get(name, "") for name in HEADERS)
    for name, value in request.COOKIES.items():
        yield name
        yield value
    yield from _list_parts(request.GET)
    if request.method == "POST" and not request.path_info.startswith((FOR_MAIL, API)):
        yield from _list_form(request)


def refuse_other_charsets(request: HttpRequest) -> None:
    """Raise BadRequest for a form that is not in UTF-8. Django would decode even the URL with the body's charset, by
    any codec Python has: some produce lone surrogates, others are not for text."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower().replace("_", "-") in ("utf-8", "utf8"):
        return
    if request.content_type in FORMS:
        raise BadRequest("Send the form in UTF-8.")
    request.encoding = "utf-8"


def _list_form(request: HttpRequest) -> Iterable[str]:
    yield from _list_parts(request.POST)
    yield from (str(file.name) for _, files in request.FILES.lists() for file in files)


def _list_parts(data: QueryDict) -> Iterable[str]:
    for name, values in data.lists():
        yield name
        yield from values
