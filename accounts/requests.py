"""Requests with a known user: those behind `login_required` or the desk's login."""

from django.http import HttpRequest

from accounts.models import User


class UserRequest(HttpRequest):
    """The request of a logged-in user, for the signatures of views that `login_required` guards."""

    user: User


def user_of(request: HttpRequest) -> User:
    """Return the logged-in user of a request whose type does not guarantee one."""
    assert isinstance(request.user, User)
    return request.user
