"""Reading users and their mages."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import combinations

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import Mage, Name, Trace, User, UserMerge
from accounts.selectors.hold import read_hold
from accounts.trace_hash import hash_trace


def list_janitors() -> list[User]:
    return list(User.objects.filter(is_staff=True, is_active=True).order_by("pk"))


def list_addresses_of(user: User) -> QuerySet[EmailAddress]:
    """Return all addresses of `user`, the primary one first."""
    addresses: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user).order_by("-primary", "pk")
    return addresses


def has_confirmed_address(user: User) -> bool:
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def find_user_by_address(address: str) -> User | None:
    """Return the active user who logs in by a code sent to this address: the one who has confirmed it, or else the
    newest who gave it and has confirmed none.

    An address that a user adds beside a confirmed one says nothing before they confirm it, or its owner would enter
    the account of someone else.
    """
    key = address.strip().lower()
    confirmed = EmailAddress.objects.filter(email=key, verified=True).select_related("user").first()
    if confirmed is not None:
        return confirmed.user if confirmed.user.is_active else None
    gave = User.objects.filter(Q(emailaddress__email=key) | Q(email=key), is_active=True)
    return gave.exclude(emailaddress__verified=True).order_by("-pk").first()


def read_about(user: User, *, now: datetime) -> str:
    """Return what `user` says about themselves; "" while they are suspended."""
    if not user.about or not user.is_active:
        return ""
    hold = read_hold(user, now)
    return "" if hold is not None and hold.sanction is not None else user.about


def count_people() -> tuple[int, int]:
    """Return the number of active users without guests, and of living mages."""
    users = User.objects.filter(is_active=True, is_guest=False)
    return users.count(), Mage.objects.filter(died_at=None).count()


def count_users_online(*, besides: User, now: datetime) -> int:
    """Return how many other users were active in the last hour, without guests and bots."""
    online = User.objects.filter(
        is_active=True, is_guest=False, is_bot=False, last_active_at__gt=now - timedelta(hours=1)
    )
    return online.exclude(pk=besides.pk).count()


def list_users_by_activity(*, limit: int) -> list[User]:
    """Return the active users without guests, the most recently active first."""
    return list(User.objects.filter(is_active=True, is_guest=False).order_by("-last_active_at", "pk")[:limit])


def list_uncounted_merges(*, limit: int) -> list[UserMerge]:
    """Return the merges, done or undone, that the ladder has not processed yet, the oldest first."""
    return list(UserMerge.objects.filter(is_counted=False).order_by("pk")[:limit])


def list_merged_accounts(user: User) -> list[User]:
    """Return the accounts that are merged into `user`, directly or through another of them."""
    found: list[User] = []
    into = [user.pk]
    while into:
        merges = UserMerge.objects.filter(kept__in=into, undone_at=None).select_related("merged").order_by("pk")
        accounts = [merge.merged for merge in merges]
        found += accounts
        into = [account.pk for account in accounts]
    return found


def find_shared_traces(user_ids: Iterable[int]) -> dict[frozenset[int], frozenset[str]]:
    """Return the pairs of these users who share an address, a network or a device, and which of these."""
    users: dict[tuple[str, str], set[int]] = {}
    traces = Trace.objects.filter(user__in=set(user_ids)).values_list("kind", "digest", "user_id")
    for kind, digest, user in traces:
        users.setdefault((kind, digest), set()).add(user)
    shared: dict[frozenset[int], set[str]] = {}
    for (kind, _), together in users.items():
        for pair in combinations(sorted(together), 2):
            shared.setdefault(frozenset(pair), set()).add(kind)
    return {pair: frozenset(kinds) for pair, kinds in shared.items()}


def list_users_of_browser(device: str) -> QuerySet[User]:
    """Return the users who were logged in lately in the browser known as `device` (trace_hash); none for ""."""
    known = Trace.objects.filter(kind=Trace.Kind.DEVICE, digest=hash_trace(Trace.Kind.DEVICE, device))
    return User.objects.filter(pk__in=known.values("user")).order_by("pk")


def find_chosen_name(guest: User) -> str:
    """Return the name that a guest chose for their mage; "" if it has the made-up name of the guest."""
    name = Name.objects.filter(owner=guest, kind=Name.Kind.MAGE).values_list("written", flat=True).first()
    return name or ""


def list_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's living mages by name, each with its engagement."""
    return Mage.objects.filter(user=user, died_at=None).select_related("engagement").order_by(Lower("name"))


def read_mages_of(user: User) -> list[Mage]:
    """Return the same mages, for a page that shows all of them."""
    mages = list(list_mages_of(user))
    for mage in mages:
        mage.user = user  # known, so that their arms need no query
    return mages


def list_gone_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's mages who died, or left alive, the latest first."""
    return Mage.objects.filter(user=user, died_at__isnull=False).order_by("-died_at", Lower("name"))


def free_mages_of(user: User) -> QuerySet[Mage]:
    """Return the user's living mages who are in no challenge or battle, including retired ones, by name."""
    return list_mages_of(user).filter(engagement=None)


def list_mages_by_activity(*, limit: int) -> list[Mage]:
    """Return the living mages, the most recently active first."""
    return list(Mage.objects.filter(died_at=None).order_by("-last_active_at", "pk")[:limit])
