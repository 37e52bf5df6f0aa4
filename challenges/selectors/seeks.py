"""Who looks for a duel, and who wants to be told."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q

from accounts.models import Mage, User
from accounts.selectors.absence import find_users_away
from accounts.selectors.hold import list_suspended
from accounts.selectors.ties import find_users_apart_from
from challenges.errors import ChallengeNotFound
from challenges.models import Challenge, SeekAlert
from challenges.seek_choices import CHANNELS, PACES, is_wanted
from challenges.selectors.links import list_waiting_duels
from challenges.selectors.lists import get_challenge_for_user
from ladder.selectors.ratings import MIDDLE, find_ratings
from notifications.models import Notice, Preference
from notifications.preferences import AT_ONCE, PREFERENCES, find_end_of_quiet
from notifications.settled_notices import settles

# Who finds an opponent sooner bothers nobody, and after a day the lists are enough.
SHORTEST_WAIT, LONGEST_WAIT = timedelta(minutes=2), timedelta(days=1)
DAY = timedelta(days=1)
KIND = "seek_opened"
READ = (*PACES, "quiet_hours", "quiet_from", "quiet_until", "time_zone")


@dataclass(frozen=True)
class Listener:
    """A user who wants to be told, and of which of the open duels, the best first. `told_at` are the moments of the
    last day at which they were told, the newest first."""

    user: User
    duels: tuple[Challenge, ...] = ()
    told_at: tuple[datetime, ...] = ()


def list_seeks(*, now: datetime) -> list[Challenge]:
    """Return the duels in which a person has waited for anyone for at least two minutes and at most a day. One that
    no host took is open to anyone since it last changed."""
    window = (now - LONGEST_WAIT, now - SHORTEST_WAIT)
    is_fresh = Q(created_at__gt=window[0], created_at__lte=window[1])
    is_passed_on = Q(hosted_duel__isnull=False, updated_at__gt=window[0], updated_at__lte=window[1])
    waiting = list_waiting_duels().filter(
        is_fresh | is_passed_on,
        challenger__user__is_active=True,
        challenger__user__is_bot=False,
        challenger__user__is_guest=False,
    )
    waiting = waiting.exclude(challenger__user__in=list_suspended()).select_related("challenger__user")
    return list(waiting.order_by("created_at", "number"))


def list_listeners(seeks: Collection[Challenge], *, now: datetime) -> list[Listener]:
    """Return the users who may be told now, each with the duels among `seeks` that they want to hear of.

    They have a free mage, are not suspended, on vacation or in their quiet hours, were told of nothing within the hour
    and of less than three duels in a day, and of nobody twice. Whether anyone is online plays no part.
    """
    users = _list_due(now)
    if not users or not seeks:
        return []
    ratings = {
        user: shown.rating
        for (user, kind), shown in find_ratings(
            [*users, *(each.challenger.user for each in seeks)], today=now.date()
        ).items()
        if kind == "duel"
    }
    chosen = _read_choices(users)
    told = _read_told(users, now)
    apart = {each.pk: find_users_apart_from([each.challenger.user_id]) for each in seeks}

    def fits(user: User, seek: Challenge) -> bool:
        seeker = seek.challenger.user_id
        return (
            seeker != user.pk
            and user.pk not in apart[seek.pk]
            and seeker not in told[user.pk]
            and is_wanted(
                chosen[user.pk], pace=seek.terms["pace"], rating=ratings.get(seeker), own=ratings.get(user.pk)
            )
        )

    def distance(user: User, seek: Challenge) -> int:
        return abs(ratings.get(seek.challenger.user_id, MIDDLE) - ratings.get(user.pk, MIDDLE))

    listeners = []
    for user in users:
        if _is_quiet(chosen[user.pk], now):
            continue
        fitting = sorted((each for each in seeks if fits(user, each)), key=lambda each: distance(user, each))
        if fitting:
            moments = sorted(told[user.pk].values(), reverse=True)
            listeners.append(Listener(user, tuple(fitting), tuple(moments)))
    return listeners


def _list_due(now: datetime) -> list[User]:
    asked = Preference.objects.filter(key__in=CHANNELS, value=AT_ONCE).values("user")
    free = Mage.objects.filter(died_at=None, retired_at=None, engagement=None).values("user")
    waits = SeekAlert.objects.filter(next_at__gt=now).values("user")
    users = User.objects.filter(pk__in=asked, is_active=True, is_guest=False, is_bot=False).filter(pk__in=free)
    users = users.exclude(pk__in=waits).exclude(pk__in=list_suspended())
    return list(users.exclude(pk__in=find_users_away(now=now)).order_by("pk"))


def _read_choices(users: Iterable[User]) -> dict[int, dict[str, str]]:
    usual = {key: PREFERENCES[key].default for key in READ}
    found = {user.pk: dict(usual) for user in users}
    for user, key, value in Preference.objects.filter(user__in=list(found), key__in=READ).values_list(
        "user_id", "key", "value"
    ):
        found[user][key] = value
    return found


def _read_told(users: Iterable[User], now: datetime) -> dict[int, dict[int, datetime]]:
    """Return of whom each user was told within a day, and when."""
    told: dict[int, dict[int, datetime]] = {user.pk: {} for user in users}
    lately = Notice.objects.filter(user__in=list(told), kind=KIND, created_at__gt=now - DAY)
    for user, key, at in lately.values_list("user_id", "key", "created_at"):
        told[user][read_seeker(key)] = at
    return told


def make_key(user: User, duel: Challenge) -> str:
    """Return the key of the notice that tells this user of this duel."""
    return f"{KIND}:{user.pk}:{duel.challenger.user_id}:{duel.number}"


def read_seeker(key: str) -> int:
    """Return the id of the user who looks for a duel, from the key of a notice."""
    return int(key.split(":")[2])


def _is_quiet(chosen: Mapping[str, str], now: datetime) -> bool:
    local = now.astimezone(ZoneInfo(chosen["time_zone"]))
    end = find_end_of_quiet(local, start=chosen["quiet_from"], end=chosen["quiet_until"])
    return chosen["quiet_hours"] == AT_ONCE and end > local


def may_join(user: User, number: int) -> bool:
    """Return whether the duel is still open, and one of the user's mages may join it."""
    try:
        challenge = get_challenge_for_user(number=number, user=user)
    except ChallengeNotFound:
        return False
    return challenge.status == Challenge.Status.OPEN and challenge.own.may_join


@settles(KIND)
def is_taken(facts: Mapping[str, object], user: User) -> bool:
    """Return whether the duel that the user was to be told of is no longer one for them."""
    return not may_join(user, int(str(facts["number"])))
