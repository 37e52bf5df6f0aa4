"""A minimum duration for pages that write an email if an address belongs to a user, so that time doesn't reveal it."""

import time
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Several times as long as writing an email takes.
SECONDS = 0.15


def answer_after_even_time(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Delay the response to each form sent to `view` until SECONDS have passed."""

    @wraps(view)
    def delayed(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        started = time.monotonic()
        response = view(request, *args, **kwargs)
        if request.method == "POST":
            time.sleep(max(0.0, started + SECONDS - time.monotonic()))
        return response

    return delayed
