"""Reading which mages and users are in which battles.

A mage can be in one challenge or battle that engages it, and stays in that battle until it ends, dead or alive. Duels
of leagues and cups engage no mage: a mage can be in several besides, and stays in them even if it dies or leaves
elsewhere. `find_battles_of_mages` knows both kinds. What follows from them: a mage without an engagement is free for
challenges, retiring and leaving; an account with any running battle is neither closed nor counted as inactive.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from accounts.models import Mage, User
from operations.registry import BATTLES_OF_MAGES


def find_battles_of_mages(mages: QuerySet[Mage] | Collection[Mage]) -> dict[int, list[int]]:
    """Return by the id of each of these mages, living or not, the numbers of all running battles that they are in, in
    order. Mages who are in none are left out, and so are those of the site's bots, who play any number at once."""
    found: dict[int, set[int]] = defaultdict(set)
    wanted = mages.values("pk") if isinstance(mages, QuerySet) else [mage.pk for mage in mages]
    for label, mage, number, end in BATTLES_OF_MAGES:
        rows: QuerySet[Any] = apps.get_model(label)._default_manager.filter(
            **{f"{mage}__in": wanted, f"{mage}__user__bot_strength": "", end: None}
        )
        for pk, battle in rows.order_by().values_list(mage, number):
            found[pk].add(battle)
    return {pk: sorted(numbers) for pk, numbers in found.items()}


def find_duels_besides(mages: Collection[Mage]) -> dict[int, list[int]]:
    """Return by the id of each of these mages, selected with `engagement`, the running battles that do not engage it:
    its duels in leagues and cups."""
    battles = find_battles_of_mages(mages)
    engaged = {mage.pk: mage.busy_with.number for mage in mages if mage.busy_with is not None}
    return {pk: [number for number in numbers if number != engaged.get(pk)] for pk, numbers in battles.items()}


def list_battles_of(user: User) -> list[int]:
    """Return the numbers of the running battles in which `user` has a mage, in order."""
    return _join(find_battles_of_mages(Mage.objects.filter(user=user.pk)))


def find_users_in_play(users: Iterable[int]) -> frozenset[int]:
    """Return which of these users have a mage in a running battle, or a living one in a challenge: nothing is done to
    them for inactivity."""
    own = Mage.objects.filter(user__in=list(users))
    fighting = Mage.objects.filter(pk__in=find_battles_of_mages(own)).values_list("user_id", flat=True)
    engaged = own.filter(died_at=None, engagement__isnull=False).values_list("user_id", flat=True)
    return frozenset([*fighting, *engaged])


def fought_by(user: User, column: str) -> Q:
    """Return the condition that `column` is the number of a battle, running or over, in which `user` has or had a mage.

    This app does not know battles: operations.registry names the rows.
    """
    condition = Q(pk__in=())
    for label, mage, number, _end in BATTLES_OF_MAGES:
        model: Any = apps.get_model(label)
        rows = model.objects.filter(**{f"{mage}__user": user.pk})
        condition |= Q(**{f"{column}__in": rows.values(number)})
    return condition


def list_users_in_battle_with(user: User) -> QuerySet[User]:
    """Return the users with a mage in a running battle in which `user` has one too."""
    condition, numbers = Q(pk__in=()), list_battles_of(user)
    for label, mage, number, end in BATTLES_OF_MAGES:
        model: Any = apps.get_model(label)
        theirs = model.objects.filter(**{f"{number}__in": numbers, end: None})
        condition |= Q(pk__in=theirs.values(f"{mage}__user"))
    return User.objects.filter(condition, bot_strength="").exclude(pk=user.pk)


def find_shared_battle(user: User, other: User) -> int | None:
    """Return the number of the first running battle in which both have a mage, or None."""
    return min({*list_battles_of(user)} & {*list_battles_of(other)}, default=None)


def have_met(user: User, other: User) -> bool:
    """Return whether both have or had a mage in one battle, running or over."""
    for label, mage, number, _end in BATTLES_OF_MAGES:
        model: Any = apps.get_model(label)
        rows = model.objects
        theirs = rows.filter(**{f"{mage}__user": other.pk}).values(number)
        if rows.filter(**{f"{mage}__user": user.pk, f"{number}__in": theirs}).exists():
            return True
    return False


def _join(battles: dict[int, list[int]]) -> list[int]:
    return sorted({number for numbers in battles.values() for number in numbers})
