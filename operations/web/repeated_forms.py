"""A form that is sent twice acts once: after a double click, or when a browser repeats a request."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.crypto import salted_hmac

View = TypeVar("View", bound=Callable[..., Any])

RUNNING = ""
SECONDS = 20
# How long a copy waits for the response to the first one.
MOST_SECONDS_WAITED = 5.0
PAUSE = 0.05


class ActOncePerForm:
    """Middleware: answers a copy of a form with the redirect that the first one got, without calling the view.

    A copy comes within twenty seconds, with the same fields and the same CSRF token, which is new each time a page is
    rendered. Only redirects are repeated: after any other response, or one that sets a cookie, the view handles the
    copy too. Views marked with `may_repeat` are left alone.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.answer(request)
        key = getattr(request, "form_key", None)
        if key is not None:
            if isinstance(response, HttpResponseRedirect) and not response.cookies:
                cache.set(key, response.url, SECONDS)
            else:
                cache.delete(key)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        is_left_alone = getattr(view, "may_repeat", False) or getattr(view, "csrf_exempt", False)
        key = None if is_left_alone or request.method != "POST" else _name_form(request)
        if key is None:
            return None
        if not cache.add(key, RUNNING, SECONDS):
            url = _wait_for_redirect(key)
            if url:
                return HttpResponseRedirect(url)
        request.form_key = key  # type: ignore[attr-defined]
        return None


def may_repeat(view: View) -> View:
    """Leave a view alone that must be fast and where the same form has no further effect, such as that of orders."""
    view.may_repeat = True  # type: ignore[attr-defined]
    return view


def _name_form(request: HttpRequest) -> str | None:
    """Return the cache key of a form sent by a user; None for any other POST, and for one with a file."""
    if not request.POST.get("csrfmiddlewaretoken") or request.FILES or not request.user.is_authenticated:
        return None
    sent = f"{request.user.pk}\n{request.get_full_path()}\n{request.POST.urlencode()}"
    return f"form:{salted_hmac('operations.web.repeated_forms', sent).hexdigest()}"


def _wait_for_redirect(key: str) -> str | None:
    """Wait for the response to the first copy; return where it redirects to, or None if it is not a redirect."""
    end = time.monotonic() + MOST_SECONDS_WAITED
    while (url := cache.get(key)) == RUNNING and time.monotonic() < end:
        time.sleep(PAUSE)
    return url or None
