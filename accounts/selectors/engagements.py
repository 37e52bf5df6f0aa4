"""Reading which users are in which battles. A mage stays in a battle until it ends, dead or alive."""

from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from accounts.models import Engagement, User
from operations.registry import BATTLES_OF_MAGES

BATTLE = Engagement.Kind.BATTLE


def list_battles_of(user: User) -> list[int]:
    """Return the numbers of the running battles in which `user` has a mage, in order."""
    mine = Engagement.objects.filter(mage__user=user.pk, kind=BATTLE)
    return sorted(set(mine.values_list("number", flat=True)))


def fought_by(user: User, column: str) -> Q:
    """Return the condition that `column` is the number of a battle, running or over, in which `user` has or had a mage.

    Engagements end with the battle, and this app does not know battles: operations.registry names the rows.
    """
    condition = Q(pk__in=())
    for label, mage, number in BATTLES_OF_MAGES:
        model: Any = apps.get_model(label)
        rows = model.objects.filter(**{f"{mage}__user": user.pk})
        condition |= Q(**{f"{column}__in": rows.values(number)})
    return condition


def list_users_in_battle_with(user: User) -> QuerySet[User]:
    theirs = Engagement.objects.filter(kind=BATTLE, number__in=list_battles_of(user))
    return User.objects.filter(pk__in=theirs.values("mage__user")).exclude(pk=user.pk)


def find_shared_battle(user: User, other: User) -> int | None:
    """Return the number of the first running battle in which both have a mage, or None."""
    return min({*list_battles_of(user)} & {*list_battles_of(other)}, default=None)


def have_met(user: User, other: User) -> bool:
    """Return whether both have or had a mage in one battle, running or over."""
    for label, mage, number in BATTLES_OF_MAGES:
        model: Any = apps.get_model(label)
        rows = model.objects
        theirs = rows.filter(**{f"{mage}__user": other.pk}).values(number)
        if rows.filter(**{f"{mage}__user": user.pk, f"{number}__in": theirs}).exists():
            return True
    return False
