"""What leaving the league costs, for the page that says so before anyone leaves."""

from dataclasses import dataclass

from django.db.models import Q

from accounts.models import User
from league.models import Entry, Pairing, Place
from league.rules.tables import loses_results
from league.selectors.seasons import find_entry, find_open_season, find_place


@dataclass(frozen=True)
class CostOfLeaving:
    """`place` is the user's place in a season that is drawn, with so many duels, `finished` of them over and `running`
    still on. `has_begun`: round 1 has begun, so that leaving at once costs something."""

    entry: Entry | None
    place: Place | None
    has_begun: bool
    duels: int = 0
    finished: int = 0
    running: int = 0

    @property
    def is_in(self) -> bool:
        return self.entry is not None or self.place is not None

    @property
    def loses_results(self) -> bool:
        """Whether all their results leave the table; otherwise what is not finished is lost."""
        return loses_results(self.finished, self.duels)

    @property
    def lost(self) -> int:
        return self.duels - self.finished


def find_what_leaving_costs(user: User) -> CostOfLeaving:
    """Return what it costs `user` to leave the league now."""
    season, entry = find_open_season(), find_entry(user)
    place = find_place(user, season) if season is not None else None
    if season is None or place is None or place.left_at is not None:
        return CostOfLeaving(entry, None, has_begun=False)
    mine = Pairing.objects.filter(Q(first=place) | Q(second=place), second__isnull=False)
    decided = mine.filter(decided_at__isnull=False).count()
    running = mine.filter(decided_at=None, battle__isnull=False).count()
    return CostOfLeaving(entry, place, season.started_at is not None, mine.count(), decided, running)
