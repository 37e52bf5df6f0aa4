"""How the person at the other end has shown who they are: lately, and by a second factor."""

import time

from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest

BY_SECOND_FACTOR = "mfa"


def has_proven_lately(request: HttpRequest) -> bool:
    """Say whether the user of this session has proven who they are in the last minutes.

    Who has a password or a second factor is asked by allauth's own page before it comes to this. Who logs in by mailed
    codes alone has nothing to be asked for but a new code, so for them the log-in itself has to be fresh.
    """
    if get_reauthentication_flows(request.user):
        return True
    records = get_authentication_records(request, request.user)
    return bool(records) and time.time() - records[-1]["at"] < REAUTHENTICATION_TIMEOUT


def has_second_factor(request: HttpRequest) -> bool:
    """Say whether the user has an authenticator app."""
    return bool(is_mfa_enabled(request.user, types=[Authenticator.Type.TOTP]))


def note_new_factor(request: HttpRequest, authenticator: Authenticator, **_: object) -> None:
    """Whoever has just set up an authenticator app has typed its code: that proves it in this session."""
    if authenticator.type == Authenticator.Type.TOTP:
        record_authentication(
            request, authenticator.user, BY_SECOND_FACTOR, id=authenticator.pk, type=authenticator.type
        )


def has_proven_second_factor(request: HttpRequest) -> bool:
    """Say whether this session was opened, or confirmed, by a second factor that the user still has."""
    records = get_authentication_records(request, request.user)
    used = {record.get("id") for record in records if record.get("method") == BY_SECOND_FACTOR}
    return (
        bool(used)
        and has_second_factor(request)
        and Authenticator.objects.filter(user=request.user, pk__in=used).exists()
    )
