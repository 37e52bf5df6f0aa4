"""Reading hosts: volunteers who play newcomers, marked by a janitor."""

from collections.abc import Iterable

from django.db.models import F, QuerySet

from accounts.models import Host, User
from accounts.selectors.hold import list_suspended


def list_hosts() -> QuerySet[Host]:
    """Return the hosts who are not suspended, the one first whom a newcomer asked longest ago, or never."""
    hosts = Host.objects.filter(offered_at__isnull=False, marked_at__isnull=False, user__is_active=True)
    hosts = hosts.exclude(user__in=list_suspended()).select_related("user")
    return hosts.order_by(F("asked_at").asc(nulls_first=True), "pk")


def find_hosts(user_ids: Iterable[int]) -> frozenset[int]:
    return frozenset(list_hosts().filter(user__in=list(user_ids)).values_list("user_id", flat=True))


def find_hosting(user: User) -> Host | None:
    """Return the user's offer and mark, or None if they have neither."""
    return Host.objects.filter(user=user).first()
