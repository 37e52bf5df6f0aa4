"""Answers after the same time whether or not an address belongs to a user: only then do we write an email."""

import time
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Several times what writing an email takes.
SECONDS = 0.15


def answer_after_even_time(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let each form sent to `view` take at least SECONDS."""

    @wraps(view)
    def answer_later(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        begun = time.monotonic()
        response = view(request, *args, **kwargs)
        if request.method == "POST":
            time.sleep(max(0.0, begun + SECONDS - time.monotonic()))
        return response

    return answer_later
