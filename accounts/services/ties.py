"""Ties between users: following and blocking."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.errors import AccountRefused
from accounts.models import Block, Follow, User
from accounts.selectors.ties import list_blocked_pairs
from operations.presence import LOBBY
from operations.wakeups import wake_on_commit

MOST_FOLLOWED = 100


def follow_user(*, user: User, followed: User, now: datetime) -> bool:
    """Let `user` follow the battles that `followed` starts from now on; return whether that is new. Raises
    AccountRefused."""
    if user.is_guest:
        raise AccountRefused("guest_follows")
    if user.pk == followed.pk:
        raise AccountRefused("follows_self")
    if followed.bot_strength or followed.is_guest or not followed.is_active:
        raise AccountRefused("cannot_follow", name=followed.username)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if list_blocked_pairs([user.pk, followed.pk]):
            raise AccountRefused("follows_blocked", name=followed.username)
        if Follow.objects.filter(user=user, followed=followed).exists():
            return False
        if Follow.objects.filter(user=user).count() >= MOST_FOLLOWED:
            raise AccountRefused("follows_too_many", most=MOST_FOLLOWED)
        Follow.objects.create(user=user, followed=followed, created_at=now)
    return True


def unfollow_user(*, user: User, followed: User) -> bool:
    """Stop following; return whether `user` followed them. Battles that have started stay followed."""
    return Follow.objects.filter(user=user, followed=followed).delete()[0] > 0


def block_user(*, user: User, blocked: User, now: datetime) -> bool:
    """Stop `user` and `blocked` from meeting in challenges, and from following each other; return whether that is new.
    Raises AccountRefused if they are the same."""
    if user.pk == blocked.pk:
        raise AccountRefused("blocks_self")
    with transaction.atomic():
        # Locked, so that neither begins to follow the other at the same time.
        list(User.objects.select_for_update(no_key=True).filter(pk__in=(user.pk, blocked.pk)).order_by("pk"))
        is_new = Block.objects.get_or_create(user=user, blocked=blocked, defaults={"created_at": now})[1]
        Follow.objects.filter(Q(user=user, followed=blocked) | Q(user=blocked, followed=user)).delete()
        # Neither sees the other there any more.
        wake_on_commit(LOBBY)
    return is_new


def unblock_user(*, user: User, blocked: User) -> bool:
    """Remove `user`'s block; return whether there was one. A block by `blocked` stays."""
    deleted, _ = Block.objects.filter(user=user, blocked=blocked).delete()
    return deleted == 1
