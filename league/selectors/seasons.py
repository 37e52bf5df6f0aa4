"""Reading seasons, and who plays in them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from accounts.selectors.ties import find_users_apart_from
from league.models import Entry, Group, Place, Season
from league.models.season import LAST_ROUND_TO_JOIN
from league.rules.groups import LEAST
from league.rules.round_robin import FILLED


def find_open_season() -> Season | None:
    """Return the season that runs or comes next; None until the first one is made."""
    return Season.objects.filter(closed_at=None).order_by("number").first()


def find_last_season() -> Season | None:
    """Return the season that ended last, or None."""
    return Season.objects.filter(closed_at__isnull=False).order_by("-number").first()


def list_past_seasons() -> QuerySet[Season]:
    """Return the seasons that have ended, the last one first."""
    return Season.objects.filter(closed_at__isnull=False).order_by("-number")


def find_entry(user: User) -> Entry | None:
    return Entry.objects.filter(user=user, left_at=None).select_related("mage__user").first()


def find_place(user: User, season: Season) -> Place | None:
    """Return the place of `user` in that season, also after they left it; None if they have none."""
    mine = Place.objects.filter(group__season=season, user=user).select_related("group", "mage__user")
    return mine.order_by("left_at", "group__tier").first()


@dataclass(frozen=True)
class SignUp:
    """What someone who signs up now may expect.

    `joins_now`: they take a free place of `season` and play from `round` on; otherwise they play in the season that
    begins at `begins_at`. `missing`: so many entrants are missing for a season, which waits until there are enough.
    """

    season: Season | None
    joins_now: bool
    round: int
    begins_at: datetime | None
    entrants: int
    missing: int


def count_entrants() -> int:
    return Entry.objects.filter(left_at=None).count()


def read_sign_up() -> SignUp:
    entrants = count_entrants()
    missing = max(LEAST - entrants, 0)
    season = find_open_season()
    if season is None:
        return SignUp(None, False, 1, None, entrants, missing)
    if season.drawn_at is None:
        return SignUp(season, False, 1, season.begins_at, entrants, missing)
    if takes_newcomers(season) and find_free_slot(season) is not None:
        first = season.round + 1
        return SignUp(season, True, first, season.begin_of_round(first), entrants, missing)
    return SignUp(season, False, 1, season.next_begins_at, entrants, missing)


def takes_newcomers(season: Season) -> bool:
    """Return whether newcomers take free places now: between the draw and the beginning of round 3."""
    return season.drawn_at is not None and season.closed_at is None and season.round < LAST_ROUND_TO_JOIN


def find_free_slot(season: Season) -> tuple[Group, int] | None:
    """Return the free place that the next newcomer takes: the next slot of the lowest league that has one. The place
    of someone who left is not free."""
    for group in season.groups.prefetch_related("places").order_by("-tier"):
        taken = {place.slot for place in group.places.all()}
        free = next((slot for slot in FILLED if slot not in taken), None)
        if free is not None:
            return group, free
    return None


def list_entrants_apart_from(user: User) -> list[User]:
    """Return the users in the league with whom `user` has a block, in either direction: their duels have no talk."""
    apart = User.objects.filter(pk__in=find_users_apart_from([user.pk]))
    return list(apart.filter(league_entries__left_at=None, league_entries__isnull=False).distinct().order_by("pk"))
