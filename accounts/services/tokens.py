"""Keys to the API: shown once, kept as a hash."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import ApiToken, User

START = "fm_"
# Often enough to see which token is in use, seldom enough that reading a page does not write a row.
NOTED_EVERY = timedelta(hours=1)


def issue_api_token(*, user: User, name: str, now: datetime) -> tuple[ApiToken, str]:
    """Return a new token of `user`: its row, and the secret text, which nobody can see again."""
    text = START + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user, name=name.strip()[:40] or "token", start=text[:8], hash=_hash(text), created_at=now
    )
    return token, text


def revoke_api_token(*, user: User, token_id: int) -> bool:
    """Delete the token if it is one of `user`'s; say whether it was."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=token_id).delete()
    return deleted == 1


def get_user_for_token(*, text: str, now: datetime) -> User | None:
    """Return the active user whose token this is, or None."""
    token = ApiToken.objects.select_related("user").filter(hash=_hash(text), user__is_active=True).first()
    if token is None:
        return None
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - NOTED_EVERY)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token.user


def _hash(text: str) -> str:
    # The text is 256 random bits: a slow hash would protect nothing.
    return hashlib.sha256(text.encode()).hexdigest()
