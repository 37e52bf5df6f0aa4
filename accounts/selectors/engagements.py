"""Reading who stands in which battle. Whoever stands in one does so until it ends, dead or alive."""

from django.db.models import QuerySet

from accounts.models import Engagement, User

BATTLE = Engagement.Kind.BATTLE


def list_battles_of(user: User) -> list[int]:
    """Return the numbers of the battles that go on in which `user` has a mage, in order."""
    mine = Engagement.objects.filter(mage__user=user.pk, kind=BATTLE)
    return sorted(set(mine.values_list("number", flat=True)))


def stands_in(user: User, number: int | None) -> bool:
    """Say whether `user` has a mage in this battle, and it goes on."""
    return number is not None and number in list_battles_of(user)


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
    return f"You and {user.username} are in battle {shared[0]}: another janitor does that for you."
