"""What no text can hold is turned away before a view sees it.

PostgreSQL stores neither NUL nor halves of surrogate pairs, and refuses even to look for them. Both reach us in a form,
an address or a cookie only from a program that tries what happens.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase

from fm_site.operations.problems import API

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
Answer = Callable[[HttpRequest], HttpResponseBase]
UNWRITABLE = re.compile("[\0\ud800-\udfff]")
OTHER_CHARSET = re.compile(r"""charset\s*=\s*(?!["']?utf[-_]?8["']?\s*(?:;|$))[^;]*""", re.IGNORECASE)
# A mail that is posted here has its own charset and its own reader (email_gateway.receive.webhooks).
FOR_MAIL = "/mail/"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
HEADERS = ("HTTP_USER_AGENT", "HTTP_REFERER", "HTTP_AUTHORIZATION", "HTTP_ACCEPT_LANGUAGE", "HTTP_X_FORWARDED_FOR")


def refuse_unwritable_text(answer: Answer) -> Answer:
    """Middleware, in front of all that reads a form, an address, a header or a cookie.

    An address with such a character leads nowhere (404); anything else with one is a bad request (400).
    """

    def guarded(request: HttpRequest) -> HttpResponseBase:
        if has_unwritable([request.path_info]):
            raise Http404("No address holds this character.")
        refuse_other_charsets(request)
        if has_unwritable(_list_texts(request)):
            raise BadRequest("The request holds a character that no text has.")
        return answer(request)

    return guarded


def name_charset(application: Application) -> Application:
    """WSGI middleware: let a body name UTF-8 or nothing that Python knows as its charset. Django decodes the address by
    it before any middleware runs, and fails for a codec that is for no text (rot13)."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "CONTENT_TYPE" in environ:
            environ["CONTENT_TYPE"] = OTHER_CHARSET.sub("charset=unknown", environ["CONTENT_TYPE"])
        return application(environ, start_response)

    return answer


def has_unwritable(texts: Iterable[str]) -> bool:
    """Say whether one of the texts holds a character that cannot be stored."""
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
    """Raise BadRequest for a form in anything but UTF-8. Django would read even the address in the charset that a body
    names, by any codec that Python has: some make halves of characters, some are for no text at all."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower().replace("_", "-") in ("utf-8", "utf8"):
        return
    if request.content_type in FORMS:
        raise BadRequest("A form is sent in UTF-8.")
    request.encoding = "utf-8"


def _list_form(request: HttpRequest) -> Iterable[str]:
    yield from _list_parts(request.POST)
    yield from (str(file.name) for _, files in request.FILES.lists() for file in files)


def _list_parts(data: QueryDict) -> Iterable[str]:
    for name, values in data.lists():
        yield name
        yield from values
