"""Reading who stands in which battle. Whoever stands in one does so until it ends, dead or alive."""

from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from accounts.models import Engagement, User
from fm_site.operations.registry import BATTLES_OF_MAGES

BATTLE = Engagement.Kind.BATTLE


def list_battles_of(user: User) -> list[int]:
    """Return the numbers of the battles that go on in which `user` has a mage, in order."""
    mine = Engagement.objects.filter(mage__user=user.pk, kind=BATTLE)
    return sorted(set(mine.values_list("number", flat=True)))


def fought_by(user: User, column: str) -> Q:
    """Return the condition that `column` holds the number of a battle in which `user` has or had a mage, over or not.

    Engagements end with the battle, and this app knows no battles: fm_site.operations.registry says which rows do.
    """
    condition = Q(pk__in=())
    for label, mage, number in BATTLES_OF_MAGES:
        model: Any = apps.get_model(label)
        rows = model.objects.filter(**{f"{mage}__user": user.pk})
        condition |= Q(**{f"{column}__in": rows.values(number)})
    return condition


def list_fellows_of(user: User) -> QuerySet[User]:
    """Return the others who have a mage in a battle that goes on and in which `user` has one."""
    theirs = Engagement.objects.filter(kind=BATTLE, number__in=list_battles_of(user))
    return User.objects.filter(pk__in=theirs.values("mage__user")).exclude(pk=user.pk)


def say_if_fellow(user: User, by: User) -> str | None:
    """Return why `by` does nothing to `user` for the house as long as they are in a battle together; None when they
    are in none."""
    shared = sorted({*list_battles_of(user)} & {*list_battles_of(by)}) if user.pk != by.pk else []
    if not shared:
        return None
    return f"You and {user.username} are in battle {shared[0]}, so another janitor must do this."
