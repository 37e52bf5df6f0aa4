"""Whether the user of a session has proven their identity recently, and with a second factor."""

import time
from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import record_authentication
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

BY_SECOND_FACTOR = "mfa"
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def prove_before_posting(view: View) -> View:
    """Guard a view: before a POST, users prove their identity again if their last proof is old (allauth's page)."""
    guarded: View = reauthentication_required(allow_get=True)(view)
    return guarded


def prove_before_download(view: View, *, page: str) -> View:
    """Guard a view that sends a file: users prove their identity and come back to `page` (a URL's name), where the
    button is. A file in answer to their proof would leave its form on the screen."""

    guarded_by_allauth: View = reauthentication_required(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            return guarded_by_allauth(request, *args, **kwargs)
        except ReauthenticationRequired:
            messages.info(request, _("Confirm that it's you. Then press the button again."))
            back = urlencode({REDIRECT_FIELD_NAME: reverse(page)})
            return HttpResponseRedirect(f"{reverse('account_reauthenticate')}?{back}")

    return cast("View", guarded)


def has_proven_lately(request: HttpRequest) -> bool:
    """Return whether the user of this session has proven their identity in the last few minutes.

    Allauth's own page has already asked users with a password or a second factor. Users who log in only with emailed
    codes have nothing else to prove, so their login itself must be recent.
    """
    if request.user.is_authenticated and (request.user.has_usable_password() or is_mfa_enabled(request.user)):
        return True
    return has_just_logged_in(request)


def has_just_logged_in(request: HttpRequest) -> bool:
    """Return whether the user logged in, or proved their identity again, in the last few minutes."""
    records = get_authentication_records(request, request.user)
    return bool(records) and 0 <= time.time() - records[-1]["at"] < REAUTHENTICATION_TIMEOUT


def has_second_factor(request: HttpRequest) -> bool:
    return bool(is_mfa_enabled(request.user, types=[Authenticator.Type.TOTP]))


def record_new_factor(request: HttpRequest, authenticator: Authenticator, **_: object) -> None:
    """Record a second factor for this session: setting up an authenticator app includes typing its code."""
    if authenticator.type == Authenticator.Type.TOTP:
        record_authentication(
            request, authenticator.user, BY_SECOND_FACTOR, id=authenticator.pk, type=authenticator.type
        )


def has_proven_second_factor(request: HttpRequest) -> bool:
    """Return whether this session was started or confirmed with a second factor that the user still has."""
    records = get_authentication_records(request, request.user)
    used = {record.get("id") for record in records if record.get("method") == BY_SECOND_FACTOR}
    return (
        bool(used)
        and has_second_factor(request)
        and Authenticator.objects.filter(user=request.user, pk__in=used).exists()
    )
