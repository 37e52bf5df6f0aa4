"""Reading users and mages."""

import difflib
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import combinations

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.errors import NoSuchMage, NotYourMage
from accounts.models import ApiToken, Block, Follow, Mage, Name, PushDevice, Trace, User, UserMerge, Vacation, Webhook
from accounts.reserved_words import GUEST_START
from accounts.selectors.absence import list_absence_warnings_of as list_absence_warnings_of
from accounts.selectors.engagements import explain_conflict as explain_conflict
from accounts.selectors.engagements import list_battles_of as list_battles_of
from accounts.selectors.engagements import list_fellows_of as list_fellows_of
from accounts.selectors.hold import read_hold as read_hold
from fm_site.notifications.events import SiteEvent, make_event
from fm_site.notifications.models import Delivery
from fm_site.operations.prepared_query import PreparedQuery


def find_user(name: str) -> User | None:
    """Return the user with that name, ignoring case, or None."""
    return User.objects.alias(key=Lower("username")).filter(key=name.strip().lower()).first()


def list_janitors() -> list[User]:
    """Return all janitors."""
    return list(User.objects.filter(is_staff=True, is_active=True).order_by("pk"))


def find_mage(name: str) -> Mage | None:
    """Return the mage with that name, alive or dead, ignoring case, with their user and engagement, or None."""
    found = Mage.objects.select_related("user", "engagement").alias(key=Lower("name"))
    return found.filter(key=name.strip().lower()).first()


def find_owner(name: str) -> User | None:
    """Return the user with that name or with a mage of that name, ignoring case, or None."""
    user = find_user(name)
    if user is not None:
        return user
    mage = find_mage(name)
    return mage.user if mage else None


def was_guest(user: User, name: str) -> bool:
    """Return whether the user had this name as a guest. A page that was open when they kept their mage still sends
    it."""
    key = name.strip().lower()
    return key.startswith(GUEST_START) and Name.objects.filter(key=key, owner=user).exists()


def find_nearest_name(text: str) -> str | None:
    """Return the name of a user or living mage closest to `text`, or None."""
    start = text.strip()[:1]
    users = User.objects.filter(username__istartswith=start).values_list("username", flat=True)[:500]
    mages = Mage.objects.filter(name__istartswith=start, died_at=None).values_list("name", flat=True)[:500]
    nearest = difflib.get_close_matches(text.strip().capitalize(), {*users, *mages}, n=1)
    return nearest[0] if nearest else None


def get_mage_for_user(*, user: User, name: str) -> Mage:
    """Return `user`'s mage with that name. Raises NoSuchMage or NotYourMage with the user's nearest mage."""
    mage = find_mage(name)
    if mage is not None and mage.user_id == user.pk:
        return mage
    own = {mage.name.lower(): mage.name for mage in list_mages_of(user)}
    nearest = difflib.get_close_matches(name.lower(), own, n=1)
    error = NoSuchMage if mage is None else NotYourMage
    raise error(mage.name if mage else name, own[nearest[0]] if nearest else None)


def list_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's living mages by name, each with its engagement."""
    return _list_mages(user.pk)


def _list_mages(user: int) -> QuerySet[Mage]:
    return Mage.objects.filter(user=user, died_at=None).select_related("engagement").order_by(Lower("name"))


def read_mages_of(user: User) -> list[Mage]:
    """Return the same mages, for a page that shows all of them."""
    return _read_mages(user=user.pk)


@PreparedQuery
def _read_mages(user: int) -> QuerySet[Mage]:
    return _list_mages(user)


def list_dead_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's dead mages, the latest death first."""
    return Mage.objects.filter(user=user, died_at__isnull=False).order_by("-died_at", Lower("name"))


def free_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's living mages that are in no challenge or battle, including retired ones, by name."""
    return list_mages_of(user).filter(engagement=None)


def list_addresses_of(user: User | int) -> QuerySet[EmailAddress]:
    """Return all addresses of a user (or of the one with this id), the primary one first."""
    addresses: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user).order_by("-primary", "pk")
    return addresses


def list_blocked_by(user: User) -> QuerySet[User]:
    """Return the users that `user` blocks, by name."""
    return User.objects.filter(blocked_by__user=user).order_by(Lower("username"))


def list_users_followed_by(user: User) -> QuerySet[User]:
    """Return the users that `user` follows, by name."""
    return User.objects.filter(followed_by__user=user).order_by(Lower("username"))


def read_ties(user: User, other: User) -> tuple[bool, bool]:
    """Return whether `user` follows and whether they block `other`."""
    follows = Follow.objects.filter(user=user, followed=other).exists()
    return follows, Block.objects.filter(user=user, blocked=other).exists()


def list_followers_of(users: Iterable[User]) -> list[User]:
    """Return the active users who follow one of these, without those who block one of them or are blocked by one."""
    ids = {user.pk for user in users}
    found = User.objects.filter(follows__followed__in=ids, is_active=True).distinct().order_by("pk")
    followers = list(found)
    apart = find_users_apart_from(ids) if followers else frozenset()
    return [user for user in followers if user.pk not in apart]


def find_users_apart_from(user_ids: Iterable[int]) -> frozenset[int]:
    """Return the ids of all users who block one of these users or are blocked by one of them."""
    ids = set(user_ids)
    pairs = _read_blocks(users=list(ids))
    return frozenset(other for pair in pairs for one, other in (pair, pair[::-1]) if one in ids)


@PreparedQuery
def _read_blocks(users: list[int]) -> "QuerySet[Block, tuple[int, int]]":
    return Block.objects.filter(Q(user__in=users) | Q(blocked__in=users)).values_list("user_id", "blocked_id")


def list_blocked_pairs(user_ids: Iterable[int]) -> set[frozenset[int]]:
    """Return the pairs of these users where one blocks the other."""
    ids = set(user_ids)
    pairs = Block.objects.filter(user__in=ids, blocked__in=ids).values_list("user_id", "blocked_id")
    return {frozenset(pair) for pair in pairs}


def list_api_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, newest first."""
    return ApiToken.objects.filter(user=user)


def list_push_devices(user: User) -> list[PushDevice]:
    """Return the devices that get `user`'s notifications, newest first."""
    return list(PushDevice.objects.filter(user=user).order_by("-created_at", "-pk"))


def find_webhook(user: User) -> Webhook | None:
    """Return `user`'s webhook, switched off or not, or None."""
    return Webhook.objects.filter(user=user).first()


def list_webhook_calls(user: User, *, limit: int = 20) -> list[tuple[SiteEvent, Delivery]]:
    """Return the newest events for `user`'s webhook, and what happened to each."""
    mine = Delivery.objects.filter(user=user, channel=Delivery.Channel.WEBHOOK, notice__isnull=False)
    newest = mine.select_related("notice").order_by("-created_at", "-pk")[:limit]
    return [(make_event(delivery.notice), delivery) for delivery in newest if delivery.notice is not None]


def find_vacation(user: User, *, now: datetime) -> Vacation | None:
    """Return `user`'s vacation at `now`, or None."""
    return next(iter(_read_vacation(user=user.pk, now=now)), None)


@PreparedQuery
def _read_vacation(user: int, now: datetime) -> QuerySet[Vacation]:
    return Vacation.objects.filter(user=user, ended_at=None, starts_at__lte=now, until__gt=now).order_by("pk")[:1]


def find_users_away(*, now: datetime) -> frozenset[int]:
    """Return the ids of the users who are on vacation at `now`."""
    away = Vacation.objects.filter(ended_at=None, starts_at__lte=now, until__gt=now)
    return frozenset(away.values_list("user_id", flat=True))


def find_users_away_by_name(*, now: datetime) -> frozenset[str]:
    """Return the names of the users who are on vacation at `now`."""
    return frozenset(User.objects.filter(pk__in=find_users_away(now=now)).values_list("username", flat=True))


def count_people() -> tuple[int, int]:
    """Return the number of active users without guests, and of living mages."""
    users = User.objects.filter(is_active=True, is_guest=False)
    return users.count(), Mage.objects.filter(died_at=None).count()


def count_users_about(*, besides: User, now: datetime) -> int:
    """Return how many other users were active in the last hour, without guests and bots."""
    about = User.objects.filter(
        is_active=True, is_guest=False, is_bot=False, last_active_at__gt=now - timedelta(hours=1)
    )
    return about.exclude(pk=besides.pk).count()


def list_users_by_activity(*, limit: int) -> list[User]:
    """Return the active users without guests, the most recently active first."""
    return list(User.objects.filter(is_active=True, is_guest=False).order_by("-last_active_at", "pk")[:limit])


def list_mages_by_activity(*, limit: int) -> list[Mage]:
    """Return the living mages, the most recently active first."""
    return list(Mage.objects.filter(died_at=None).order_by("-last_active_at", "pk")[:limit])


def list_uncounted_merges(*, limit: int) -> list[UserMerge]:
    """Return the merges, done or undone, that the ladder has not processed yet, the oldest first."""
    return list(UserMerge.objects.filter(is_counted=False).order_by("pk")[:limit])


def find_shared_traces(user_ids: Iterable[int]) -> dict[frozenset[int], frozenset[str]]:
    """Return the pairs of these users who share an address or a device, and which of the two."""
    users: dict[tuple[str, str], set[int]] = {}
    traces = Trace.objects.filter(user__in=set(user_ids)).values_list("kind", "digest", "user_id")
    for kind, digest, user in traces:
        users.setdefault((kind, digest), set()).add(user)
    shared: dict[frozenset[int], set[str]] = {}
    for (kind, _), together in users.items():
        for pair in combinations(sorted(together), 2):
            shared.setdefault(frozenset(pair), set()).add(kind)
    return {pair: frozenset(kinds) for pair, kinds in shared.items()}
