"""Who meets whom in leagues and cups, for the list of pairs that janitors may want to check."""

from collections import defaultdict

from django.db.models import Q

from league.models import Place


def list_users_of_events() -> list[frozenset[int]]:
    """Return the users of each league group and each cup that is drawn or begins and has not ended, those who left
    included."""
    open_events = Q(group__season__closed_at=None, group__isnull=False) | Q(
        cup__isnull=False, cup__closed_at=None, cup__cancelled_at=None
    )
    users: dict[tuple[int | None, int | None], set[int]] = defaultdict(set)
    for group, cup, user in Place.objects.filter(open_events).values_list("group", "cup", "user"):
        users[group, cup].add(user)
    return [frozenset(each) for each in users.values()]
