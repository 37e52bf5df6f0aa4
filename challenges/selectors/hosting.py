"""Who may ask a host for a duel, which host is asked next, and which duels are due for a sweep."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from accounts.models import Host, Mage, User
from accounts.selectors.absence import find_users_away
from accounts.selectors.hold import list_suspended
from accounts.selectors.hosts import list_hosts
from accounts.selectors.ties import find_users_apart_from
from challenges.models import Challenge, HostedDuel, Seat
from duels.models import Battle, Combatant

# How long a host has to answer, and a newcomer waits before they ask again.
TIME_TO_ANSWER = timedelta(days=1)
# A host who was last here longer ago is not asked.
LONGEST_AWAY = timedelta(days=14)


def may_ask_host(user: User, *, now: datetime) -> bool:
    """Return whether the user has not fought a person yet, and has asked no host within a day."""
    if user.is_guest or user.is_bot:
        return False
    fought = Combatant.objects.filter(mage__user=user, battle__practice=False)
    asked = HostedDuel.objects.filter(newcomer=user, challenge__created_at__gt=now - TIME_TO_ANSWER)
    return not fought.exists() and not asked.exists()


def list_free_hosts(newcomer: User, *, besides: Collection[int] = (), now: datetime) -> list[tuple[Host, Mage]]:
    """Return the hosts who may be asked, the one first whom a newcomer asked longest ago, each with the mage to play.

    They have a free mage, are not on vacation, were here within two weeks, owe no newcomer an answer, and there is no
    block between the two. `besides` are users (ids) who were asked already.
    """
    owing = HostedDuel.objects.filter(next_at__gt=now, challenge__status=Challenge.Status.OPEN).values("host")
    hosts = list_hosts().filter(user__last_active_at__gt=now - LONGEST_AWAY).exclude(user__in=owing)
    apart = find_users_apart_from([newcomer.pk]) | find_users_away(now=now)
    hosts = hosts.exclude(user__in={newcomer.pk, *apart, *besides})
    found = list(hosts)
    mages: dict[int, Mage] = {}
    free = Mage.objects.filter(
        user__in=[host.user_id for host in found], died_at=None, retired_at=None, engagement=None
    )
    for mage in free.select_related("user").order_by("-last_active_at", "pk") if found else ():
        mages.setdefault(mage.user_id, mage)
    return [(host, mages[host.user_id]) for host in found if host.user_id in mages]


def find_host_to_ask(newcomer: User, *, now: datetime) -> User | None:
    """Return the host whom this user, who has a free mage, may ask for their first duel with a person."""
    if not may_ask_host(newcomer, now=now):
        return None
    return next((host.user for host, _mage in list_free_hosts(newcomer, now=now)), None)


def find_hosted_duel(*, number: int) -> HostedDuel | None:
    """Return the newcomer and the host of this challenge or battle, None for every other one."""
    return HostedDuel.objects.filter(challenge__number=number).select_related("newcomer", "host").first()


def list_to_pass_on(*, now: datetime) -> list[HostedDuel]:
    """Return the duels whose host did not answer in time, declined, or can no longer play, and those of newcomers who
    have been suspended."""
    invited = Seat.objects.filter(
        challenge=OuterRef("challenge"), mage__user=OuterRef("host"), state__in=(Seat.State.INVITED, Seat.State.JOINED)
    )
    waiting = HostedDuel.objects.filter(next_at__isnull=False, challenge__status=Challenge.Status.OPEN)
    suspended = list_suspended()
    due = waiting.filter(Q(next_at__lte=now) | ~Exists(invited) | Q(host__in=suspended) | Q(newcomer__in=suspended))
    return list(due.select_related("challenge__challenger__user").order_by("pk"))


def list_over() -> list[HostedDuel]:
    """Return the duels that are over, and whose players were not told yet that their notes are open."""
    over = Battle.objects.filter(number=OuterRef("challenge__number"), finished_at__isnull=False)
    waiting = HostedDuel.objects.filter(notes_opened_at=None, challenge__status=Challenge.Status.STARTED)
    return list(waiting.filter(Exists(over)).select_related("challenge").order_by("pk"))
