"""The reliability of users: the share of deadlines they met within a year. Practice and battles with bots do not
count, because nobody waits there."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import User
from duels.models import Battle, MissedTurn, OrderSheet

# Counted back from the user's last activity, so that a year away changes nothing.
YEAR = datetime.timedelta(days=365)
# With fewer turns than this, a percentage means little.
FEWEST_TURNS = 10
KEPT_SECONDS = 600


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


def forget_reliability_on_commit(user_id: int) -> None:
    """Have pages count the turns of this user again once this transaction commits."""
    transaction.on_commit(partial(cache.delete, _key(user_id)), robust=True)


def _key(user: int) -> str:
    return f"reliability/{user}"


def _count_turns(ids: list[int]) -> QuerySet[Any, tuple[int, int, int]]:
    """Return the key of each user, how many turns asked for their orders in the last year, and how many they missed."""
    asked = OrderSheet.objects.filter(
        combatant__mage__user=OuterRef("pk"),
        stage__opened_at__gt=OuterRef("last_active_at") - YEAR,
        stage__battle__practice=False,
        stage__battle__company=Battle.Company.PEOPLE,
    )
    missed = MissedTurn.objects.filter(
        user=OuterRef("pk"),
        excused_at=None,
        missed_at__gt=OuterRef("last_active_at") - YEAR,
        stage__battle__practice=False,
        stage__battle__company=Battle.Company.PEOPLE,
    )
    return User.objects.filter(pk__in=ids).values_list("pk", _count(asked), _count(missed))


def _count(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
