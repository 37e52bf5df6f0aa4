"""Reading who follows and who blocks whom."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import Block, Follow, User


def list_users_followed_by(user: User) -> QuerySet[User]:
    """Return the users that `user` follows, by name."""
    return User.objects.filter(followed_by__user=user).order_by(Lower("username"))


def list_followers_of(users: Iterable[User]) -> list[User]:
    """Return the active users who follow one of these, without those who block one of them or are blocked by one."""
    ids = {user.pk for user in users}
    followers = list(User.objects.filter(follows__followed__in=ids, is_active=True).distinct().order_by("pk"))
    apart = find_users_apart_from(ids) if followers else frozenset()
    return [user for user in followers if user.pk not in apart]


def list_blocked_by(user: User) -> QuerySet[User]:
    """Return the users that `user` blocks, by name."""
    return User.objects.filter(blocked_by__user=user).order_by(Lower("username"))


def list_users_blocking(user: User) -> QuerySet[User]:
    return User.objects.filter(blocks__blocked=user)


def list_blocked_pairs(user_ids: Iterable[int]) -> set[frozenset[int]]:
    """Return the pairs of these users where one blocks the other."""
    ids = set(user_ids)
    pairs = Block.objects.filter(user__in=ids, blocked__in=ids).values_list("user_id", "blocked_id")
    return {frozenset(pair) for pair in pairs}


def find_users_apart_from(user_ids: Iterable[int]) -> frozenset[int]:
    """Return the ids of all users who block one of these users or are blocked by one of them."""
    ids = set(user_ids)
    blocks = Block.objects.filter(Q(user__in=ids) | Q(blocked__in=ids)) if ids else Block.objects.none()
    pairs = blocks.values_list("user_id", "blocked_id")
    return frozenset(other for pair in pairs for one, other in (pair, pair[::-1]) if one in ids)


@dataclass(frozen=True)
class Ties:
    """What is between a user and another: whether they follow and block them, and whether there is a block at all."""

    follows: bool = False
    blocks: bool = False
    are_apart: bool = False


def read_ties(user: User, other: User) -> Ties:
    follows = Follow.objects.filter(user=user, followed=other).exists()
    between = Block.objects.filter(Q(user=user, blocked=other) | Q(user=other, blocked=user))
    blockers = set(between.values_list("user_id", flat=True))
    return Ties(follows, blocks=user.pk in blockers, are_apart=bool(blockers))
