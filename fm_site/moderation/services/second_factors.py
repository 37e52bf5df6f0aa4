"""Removing the second factor of a user who has lost it."""

from dataclasses import asdict
from datetime import datetime

from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import User
from accounts.services.credentials import revoke_credentials
from fm_site.notifications.services.outbox import write_notice


def remove_second_factor(*, user: User, now: datetime) -> bool:
    """Remove `user`'s authenticator app and recovery codes and notify them; return whether they had any. Their API
    tokens and mail password are revoked too: a finder of the lost device may have them."""
    with transaction.atomic():
        if not Authenticator.objects.filter(user=user).delete()[0]:
            return False
        revoked = revoke_credentials(user=user)
        write_notice(
            key=f"account_changed:{user.pk}:second_factor:{now.isoformat()}",
            user=user,
            kind="account_changed",
            facts={"what": "totp_deactivated"} | ({"revoked": asdict(revoked)} if revoked else {}),
            now=now,
        )
    return True
