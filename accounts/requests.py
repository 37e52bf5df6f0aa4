"""Requests whose user is known: what lies behind `login_required`, or behind the desk's door."""

from django.http import HttpRequest

from accounts.models import User


class UserRequest(HttpRequest):
    """The request of a logged-in user, for the signatures of views that `login_required` guards."""

    user: User


def user_of(request: HttpRequest) -> User:
    """Return the logged-in user of a request, where the signature cannot say so."""
    assert isinstance(request.user, User)
    return request.user
