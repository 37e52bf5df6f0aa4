"""API tokens: shown once, stored as a hash, with the scope and lifetime their owner chose."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.errors import AccountRefused
from accounts.models import ApiToken, User
from accounts.secret_hash import hash_secret
from operations.database.prepared_query import PreparedQuery

START = "fm_"
# Often enough to see which tokens are in use, rarely enough that most requests write no row.
NOTED_EVERY = timedelta(hours=1)
DAYS = (7, 30, 90, 365)
USUAL_DAYS = 90
MOST_TOKENS = 20
# The scopes for each choice on the page: tokens that play may also read.
GRANTED = {
    ApiToken.Scope.READ: (ApiToken.Scope.READ,),
    ApiToken.Scope.PLAY: (ApiToken.Scope.READ, ApiToken.Scope.PLAY),
    ApiToken.Scope.BOT: (ApiToken.Scope.READ, ApiToken.Scope.PLAY, ApiToken.Scope.BOT),
}


def issue_api_token(
    *,
    user: User,
    name: str,
    now: datetime,
    scopes: Collection[str] = GRANTED[ApiToken.Scope.PLAY],
    days: int = USUAL_DAYS,
) -> tuple[ApiToken, str]:
    """Return a new token of `user`: its row, and the secret text, which nobody can see again.

    Raises AccountRefused, and ValueError for an unknown scope and for no scope at all.
    """
    if not scopes or not set(scopes) <= set(ApiToken.Scope.values):
        raise ValueError(f"unknown scopes: {sorted(scopes)}")
    text = START + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if ApiToken.objects.filter(user=user, expires_at__gt=now).count() >= MOST_TOKENS:
            raise AccountRefused("too_many_tokens", most=MOST_TOKENS)
        token = ApiToken.objects.create(
            user=user,
            name=name.strip()[:40] or "token",
            start=text[:8],
            hash=hash_secret(text),
            scopes=" ".join(scope for scope in ApiToken.Scope.values if scope in scopes),
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
    return token, text


def revoke_api_token(*, user: User, token_id: int) -> bool:
    """Delete the token if it is `user`'s; return whether it was."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=token_id).delete()
    return deleted == 1


def find_api_token(*, text: str, now: datetime) -> ApiToken | None:
    """Return the token with its active user and record its use; None if it is unknown, revoked or expired."""
    token = next(iter(_read_good_tokens(hash=hash_secret(text), now=now)), None)
    if token is None:
        return None
    if token.last_used_at is None or token.last_used_at < now - NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


@PreparedQuery
def _read_good_tokens(hash: str, now: datetime) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(hash=hash, expires_at__gt=now, user__is_active=True).select_related("user")
