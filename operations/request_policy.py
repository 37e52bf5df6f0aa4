"""The site's numbers, read at most once for each request that shows them."""

from contextvars import ContextVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from operations.policy import Policy
from operations.selectors import read_policy
from operations.web.middleware import GetResponse

# The numbers of this request, empty until they are read; None outside of requests.
_numbers: ContextVar[list[Policy] | None] = ContextVar("numbers", default=None)


def remember_policy(
    answer: GetResponse,
) -> GetResponse:
    """Middleware: let this request remember the site's numbers."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        token = _numbers.set([])
        try:
            return answer(request)
        finally:
            _numbers.reset(token)

    return respond


def recall_policy() -> Policy:
    """Return the current numbers for a page to show, as this request first read them.

    Decisions that are stored must use read_policy instead.
    """
    numbers = _numbers.get()
    if numbers is None:
        return read_policy()
    if not numbers:
        numbers.append(read_policy())
    return numbers[0]
