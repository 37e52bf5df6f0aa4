"""A second factor for janitors in tests."""

import time
from typing import Any

from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY,
    AUTHENTICATION_METHODS_SESSION_KEY,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client

from fm_site.demonstration.people import make_code

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
STEP, SOON = 30, 2


def read_code(secret: str) -> str:
    """Return the code of this half minute, which is good for two seconds more: nobody accepts the one before."""
    left = STEP - time.time() % STEP
    if left < SOON:
        time.sleep(left)
    return make_code(secret, time.time())


def give_second_factor(user: Any) -> Authenticator:
    """Return the authenticator app of `user`, created if there is none."""
    found = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).first()
    return found or TOTP.activate(user, SECRET).instance


def prove(client: Client, user: Any) -> None:
    """Let the session of `client` be one in which `user` has just proven the second factor."""
    record_proof(client, user, {"method": "mfa", "id": give_second_factor(user).pk, "type": "totp"})


def prove_lately(client: Client, user: Any) -> None:
    """Let the session of `client` be one in which `user` has just given the password."""
    record_proof(client, user, {"method": "password"})


def record_proof(client: Client, user: Any, record: dict[str, Any], *, seconds_ago: float = 0) -> None:
    """Write allauth's record of a proof into the session of `client`."""
    session = client.session
    session[_AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"reauthenticated": True, "at": time.time() - seconds_ago, **record}]
    session.save()
