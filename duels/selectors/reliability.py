"""The reliability of users: the share of deadlines they met within a year, and how long they usually take. Practice and
battles with bots do not count, because nobody waits there, nor do turns that a janitor took back and annulled
battles."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import User
from duels.models import Battle, MissedTurn, OrderSheet
from duels.paces import LIVE

# Counted back from the user's last activity, so that a year away changes nothing.
YEAR = datetime.timedelta(days=365)
# With fewer turns than this, a percentage means little.
FEWEST_TURNS = 10
KEPT_SECONDS = 600
# Which stages count.
COUNTS = Q(
    ~Q(stage__battle__status=Battle.Status.ANNULLED),
    stage__battle__practice=False,
    stage__battle__company=Battle.Company.PEOPLE,
    stage__turn__taken_back_by=None,
)
# The answers whose median is the usual time.
ANSWERS_READ = 50


@dataclass(frozen=True)
class Reliability:
    """`asked`: the number of stages in which the user had orders to give; `missed`: the deadlines missed, without those
    a janitor excused."""

    asked: int
    missed: int

    @property
    def percent(self) -> int | None:
        """The percentage of turns played on time, rounded down; None for new users."""
        if self.asked < FEWEST_TURNS:
            return None
        return max(0, 100 * (self.asked - self.missed) // self.asked)

    @property
    def words(self) -> str:
        """The text for pages: "new here", "97% reliable"."""
        return _("new here") if self.percent is None else _("%(n)s%% reliable") % {"n": self.percent}


def read_reliability(user_ids: Iterable[int]) -> dict[int, Reliability]:
    ids = sorted(set(user_ids))
    if not ids:
        return {}
    counted = _count_turns(ids)
    return dict.fromkeys(ids, Reliability(0, 0)) | {pk: Reliability(*both) for pk, *both in counted}


def recall_reliability(user_ids: Iterable[int]) -> dict[int, Reliability]:
    """Return the same for a page, from the cache: a missed turn shows at once, other changes at most KEPT_SECONDS late.

    The counts read a year of orders, for each page that shows a name. Decisions must use read_reliability.
    """
    ids = sorted(set(user_ids))
    kept: dict[str, tuple[int, int]] = cache.get_many([_key(pk) for pk in ids]) if ids else {}
    known = {pk: Reliability(*kept[_key(pk)]) for pk in ids if _key(pk) in kept}
    fresh = read_reliability(pk for pk in ids if pk not in known)
    if fresh:
        cache.set_many({_key(pk): (each.asked, each.missed) for pk, each in fresh.items()}, KEPT_SECONDS)
    return known | fresh


def recall_answer_time(user_id: int) -> datetime.timedelta | None:
    """Return how long `user_id` usually takes to answer a turn that isn't live: the median of their latest answers;
    None for new users. It is cached, as it reads many orders. Only turns that have been played count, so that it says
    nothing about pending orders.
    """
    key = f"answer_time/{user_id}"
    known: float | None = cache.get(key)
    if known is None:
        known = _find_answer_seconds(user_id)
        cache.set(key, known, KEPT_SECONDS)
    return datetime.timedelta(seconds=known) if known >= 0 else None


def _find_answer_seconds(user_id: int) -> float:
    """Return the median in seconds, or -1 for too few answers."""
    given = OrderSheet.objects.filter(
        combatant__mage__user=user_id,
        via__in=(OrderSheet.Via.WEB, OrderSheet.Via.MAIL, OrderSheet.Via.API),
        submitted_at__isnull=False,
        stage__closed_at__isnull=False,
        stage__battle__practice=False,
        stage__battle__company=Battle.Company.PEOPLE,
    ).exclude(stage__battle__terms__pace__startswith=LIVE)
    moments = given.order_by("-stage__opened_at").values_list("stage__opened_at", "submitted_at")[:ANSWERS_READ]
    taken = [(submitted - opened).total_seconds() for opened, submitted in moments if submitted is not None]
    return max(0.0, median(taken)) if len(taken) >= FEWEST_TURNS else -1


def forget_reliability_on_commit(user_id: int) -> None:
    """Have pages count the turns of this user again once this transaction commits."""
    transaction.on_commit(partial(cache.delete, _key(user_id)), robust=True)


def _key(user: int) -> str:
    return f"reliability/{user}"


def _count_turns(ids: list[int]) -> QuerySet[Any, tuple[int, int, int]]:
    """Return the key of each user, how many turns asked for their orders in the last year, and how many they missed."""
    asked = OrderSheet.objects.filter(
        COUNTS,
        combatant__mage__user=OuterRef("pk"),
        stage__opened_at__gt=OuterRef("last_active_at") - YEAR,
    )
    missed = MissedTurn.objects.filter(
        COUNTS,
        user=OuterRef("pk"),
        excused_at=None,
        missed_at__gt=OuterRef("last_active_at") - YEAR,
    )
    return User.objects.filter(pk__in=ids).values_list("pk", _count(asked), _count(missed))


def _count(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
