"""Read what a user has learned, and their first tries of each day: both in one query and one entry of the cache, for
every page that shows either."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from django.core.cache import cache
from django.db import transaction
from django.db.models import BooleanField, CharField, Value
from django.db.models.functions import Cast

from accounts.models import User
from studies.models import DailyTry, LearnedStep

KEPT_SECONDS = 60


@dataclass(frozen=True)
class Learning:
    """`steps` are the names of solved tasks and cast spells (studies.progress); `first_tries` says for each day of UTC
    with a try at its puzzle whether the first one solved it."""

    steps: frozenset[str] = frozenset()
    first_tries: Mapping[datetime.date, bool] = field(default_factory=dict)


def recall_learning(user: User) -> Learning:
    """Return the same as read_learning for a page, from the cache: what a page has just stored shows at once, the work
    of other pages at that moment at most KEPT_SECONDS late."""
    known: Learning | None = cache.get(_key(user))
    if known is None:
        known = read_learning(user)
        cache.set(_key(user), known, KEPT_SECONDS)
    return known


def forget_recalled_learning(user: User) -> None:
    """Have pages read it again: now, and again when this transaction commits, since others may have read it before
    that."""
    cache.delete(_key(user))
    transaction.on_commit(partial(cache.delete, _key(user)), robust=True)


def _key(user: User) -> str:
    return f"learning/{user.pk}"


def read_learning(user: User) -> Learning:
    """Return what is stored about the user."""
    steps = LearnedStep.objects.filter(user=user).order_by()
    tries = DailyTry.objects.filter(user=user).order_by()
    none = Value(None, output_field=BooleanField(null=True))
    rows = list(steps.values_list("name", none).union(tries.values_list(Cast("day", CharField()), "solved"), all=True))
    return Learning(
        frozenset(name for name, solved in rows if solved is None),
        {datetime.date.fromisoformat(day): bool(solved) for day, solved in rows if solved is not None},
    )
