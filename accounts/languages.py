"""Chooses the reader's language: their setting, otherwise a cookie, otherwise the browser's."""

from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from operations.web.middleware import GetResponse


def language_of(user: Any) -> str:
    """Return the language that `user` has chosen, if the site still has it, else ""."""
    chosen = str(getattr(user, "language", ""))
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def in_language_of(user: Any) -> AbstractContextManager[None]:
    """Return a context in which texts are in the language of `user`, or the site's if they have chosen none.

    For emails and everything else that is written without a request from the reader.
    """
    return translation.override(language_of(user) or settings.LANGUAGE_CODE)


def activate_language_of(user: Any) -> None:
    """Switch to `user`'s language until the end of the context that the caller has opened.

    For readers who become known only halfway through the work.
    """
    translation.activate(language_of(user) or settings.LANGUAGE_CODE)


def find_language_of_emails() -> str:
    """Return the language of the sign-up page, for the new user's emails; "" for the site's own."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return "" if language == settings.LANGUAGE_CODE else language


def use_browser_language(answer: GetResponse) -> GetResponse:
    """Middleware, outside everything that writes text: use the browser's language, and name it."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(settings.STATIC_URL):
            return answer(request)
        with translation.override(translation.get_language_from_request(request)):
            response = answer(request)
            response.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return respond


def use_user_language(answer: GetResponse) -> GetResponse:
    """Middleware, after authentication: use the language that the user has chosen."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        follow_choice(request.user)
        return answer(request)

    return respond


def follow_choice(user: Any) -> None:
    """Use the language that `user` has chosen for the rest of this request, if they have chosen one."""
    chosen = language_of(user)
    if chosen:
        translation.activate(chosen)
