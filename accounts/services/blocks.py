"""Keeping users apart."""

from datetime import datetime

from accounts.errors import CannotBlock
from accounts.models import Block, User


def block_user(*, user: User, blocked: User, now: datetime) -> bool:
    """Stop `user` and `blocked` from meeting in challenges; return whether that is new. Raises CannotBlock for
    oneself."""
    if user.pk == blocked.pk:
        raise CannotBlock("You cannot block yourself.")
    _, made = Block.objects.get_or_create(user=user, blocked=blocked, defaults={"created_at": now})
    return made


def unblock_user(*, user: User, blocked: User) -> bool:
    """Remove `user`'s block; return whether there was one. A block by `blocked` stays."""
    deleted, _ = Block.objects.filter(user=user, blocked=blocked).delete()
    return deleted == 1
