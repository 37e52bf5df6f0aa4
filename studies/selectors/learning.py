"""Read what a user has learned, and their first tries of each day: both in one query, for every page that shows
either."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import BooleanField, CharField, Value
from django.db.models.functions import Cast

from accounts.models import User
from studies.models import DailyTry, LearnedStep


@dataclass(frozen=True)
class Learning:
    """`steps` are the names of solved tasks and cast spells (studies.progress); `first_tries` says for each day of UTC
    with a try at its puzzle whether the first one solved it."""

    steps: frozenset[str] = frozenset()
    first_tries: Mapping[datetime.date, bool] = field(default_factory=dict)


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
