"""Reading vacations, and absent users: those due for a check, and the facts about them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from allauth.account.models import EmailAddress
from django.db.models import F, Max, Q, QuerySet

from accounts.models import AbsenceWarning, Mage, User, Vacation
from accounts.selectors.engagements import find_users_in_play
from accounts.vacation_days import VacationDays, count_days
from operations.selectors import read_policy


@dataclass(frozen=True)
class AbsentUser:
    """A user whose absence is due for a check, with the facts that decide. `has_mages`: living ones, or any in a
    running battle; of a guest, one in a battle."""

    user: User
    has_mages: bool
    had_mages: bool
    is_reachable: bool


def list_users_to_check(*, now: datetime, limit: int) -> list[AbsentUser]:
    """Return the users whose absence is due for a check, the longest overdue first."""
    users = list(
        User.objects.filter(is_active=True, bot_strength="", idle_check_at__lte=now).order_by("idle_check_at", "pk")[
            :limit
        ]
    )
    if not users:
        return []
    mages = list(Mage.objects.filter(user__in=users).values_list("user_id", "died_at"))
    living, ever = {user for user, died in mages if died is None}, {user for user, _ in mages}
    guests = {user.pk for user in users if user.is_guest}
    if guests or ever - living:
        # A guest's mage goes with the guest, unless a battle waits for it. A dead mage can still be in a battle.
        in_play = find_users_in_play(guests | (ever - living))
        living = (living - guests) | in_play
    proven = set(EmailAddress.objects.filter(user__in=users, verified=True).values_list("user_id", flat=True))
    return [AbsentUser(user, user.pk in living, user.pk in ever, user.pk in proven) for user in users]


def find_vacation_ends(user_ids: Iterable[int], *, now: datetime) -> dict[int, datetime]:
    """Return the end of each user's latest vacation; for a current one this may be after `now`."""
    begun = Vacation.objects.filter(user__in=list(user_ids), starts_at__lte=now).values("user")
    rows = begun.annotate(ended=Max("ended_at"), until=Max("until", filter=Q(ended_at=None)))
    ends = {row["user"]: [end for end in (row["ended"], row["until"]) if end] for row in rows}
    return {user: max(found) for user, found in ends.items() if found}


def list_active_warnings(*, user_ids: Iterable[int]) -> list[AbsenceWarning]:
    active = AbsenceWarning.objects.filter(user__in=list(user_ids), ended_at=None)
    return list(active.select_related("mage"))


def list_absence_warnings_of(user: User) -> list[AbsenceWarning]:
    """Return the active warnings of `user` and their mages, the soonest first, without those that later activity has
    settled."""
    active = AbsenceWarning.objects.filter(user=user, ended_at=None, user__last_active_at__lte=F("warned_at"))
    return list(active.select_related("mage").order_by("due_at", "pk"))


def list_vacations_over(*, now: datetime, limit: int) -> list[Vacation]:
    """Return the vacations that are over but not closed yet, the oldest first."""
    over = Vacation.objects.filter(ended_at=None, until__lte=now).select_related("user")
    return list(over.order_by("until", "pk")[:limit])


def find_vacation(user: User, *, now: datetime) -> Vacation | None:
    return list_current_vacations(user.pk, now=now).order_by("pk").first()


def list_current_vacations(user: int, *, now: datetime) -> QuerySet[Vacation]:
    """Return the vacations of `user` (their id) at `now`: one at most."""
    return Vacation.objects.filter(user=user, ended_at=None, starts_at__lte=now, until__gt=now)


def read_vacation_days(*, user: User, besides: Vacation | None = None) -> VacationDays:
    """Return which days of vacation `user` has used, planned ones included, and how many are left. Those of the
    vacation `besides` don't count."""
    own = Vacation.objects.filter(user=user, by_janitor=False)
    spans = [(each.starts_at, each.ended_at or each.until) for each in own if each != besides]
    return VacationDays(count_days(spans), user.created_at.astimezone(UTC).year, read_policy())


def find_users_away(*, now: datetime) -> frozenset[int]:
    away = Vacation.objects.filter(ended_at=None, starts_at__lte=now, until__gt=now)
    return frozenset(away.values_list("user_id", flat=True))


def find_users_away_by_name(*, now: datetime) -> frozenset[str]:
    return frozenset(User.objects.filter(pk__in=find_users_away(now=now)).values_list("username", flat=True))
