"""The reader's preferences, read once for each request.

Only the user object of a request remembers them; other objects may outlive a change.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from operations.web.middleware import GetResponse

MEMORY = "_preferences_chosen"


def remember_preferences(
    answer: GetResponse,
) -> GetResponse:
    """Middleware: let the user of this request remember their preferences. Place it after authentication."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            setattr(request.user, MEMORY, None)
        return answer(request)

    return respond


@contextmanager
def remembering(user: object) -> Iterator[None]:
    """Let this user object remember preferences until the end of the context, unless it already does."""
    if user is None or remembers(user):
        yield
        return
    setattr(user, MEMORY, None)
    try:
        yield
    finally:
        delattr(user, MEMORY)


def remembers(user: object) -> bool:
    return hasattr(user, MEMORY)


def recall_choices(user: object) -> dict[str, str] | None:
    """Return the user's choices, or None if they must be read."""
    chosen: dict[str, str] | None = getattr(user, MEMORY, None)
    return chosen


def remember_choices(user: object, chosen: dict[str, str]) -> None:
    """Store the user's choices on this object, if it remembers them."""
    if remembers(user):
        setattr(user, MEMORY, chosen)


def forget_choices(user: object) -> None:
    """Make the next reader read the choices again."""
    if remembers(user):
        setattr(user, MEMORY, None)
