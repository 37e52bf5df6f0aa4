"""Read what was won in leagues and cups in a span of time."""

from datetime import datetime

from django.db.models import Q

from league.models import Place


def list_titles_won(begin: datetime, end: datetime) -> list[Place]:
    """Return the first places of people's groups and cups that ended then: leagues from the first on, then cups."""
    season = {"group__season__closed_at__gte": begin, "group__season__closed_at__lt": end}
    cup = {"cup__closed_at__gte": begin, "cup__closed_at__lt": end}
    won = Place.objects.filter(Q(**season) | Q(**cup), rank=1, user__is_bot=False).select_related(
        "group__season", "cup", "mage__user"
    )
    return sorted(won, key=_order)


def _order(place: Place) -> tuple[int, int, int, int]:
    if place.group is not None:
        return 0, place.group.season.number, place.group.tier, place.pk
    return 1, place.cup_id or 0, 0, place.pk
