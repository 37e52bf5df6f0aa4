"""How reliable users are: of the turns in which they were asked within a year, how many they let pass. Practice, where
nobody waits for them, says nothing of it."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F

from duels.models import MissedTurn, OrderSheet

# Back from what the user did last: so a year away neither mends nor spoils anything.
YEAR = datetime.timedelta(days=365)
# With fewer turns than this a share says nothing.
FEWEST_TURNS = 10


@dataclass(frozen=True)
class Reliability:
    """`asked`: in how many stages of turns orders were asked; `missed`: how many of these deadlines passed, those that
    a janitor excused left out."""

    asked: int
    missed: int

    @property
    def percent(self) -> int | None:
        """The share of turns kept, rounded down; None for who is new."""
        if self.asked < FEWEST_TURNS:
            return None
        return max(0, 100 * (self.asked - self.missed) // self.asked)

    @property
    def words(self) -> str:
        """Two words for pages: "new here", "97% reliable"."""
        return "new here" if self.percent is None else f"{self.percent}% reliable"


def read_reliability(user_ids: Iterable[int]) -> dict[int, Reliability]:
    """Return the reliability of each of these users."""
    ids = set(user_ids)
    if not ids:
        return {}
    asked = (
        OrderSheet.objects.filter(
            combatant__mage__user__in=ids,
            stage__opened_at__gt=F("combatant__mage__user__last_active_at") - YEAR,
            stage__battle__practice=False,
        )
        .values_list("combatant__mage__user")
        .annotate(count=Count("pk"))
    )
    missed = (
        MissedTurn.objects.filter(
            user__in=ids,
            excused_at=None,
            missed_at__gt=F("user__last_active_at") - YEAR,
            stage__battle__practice=False,
        )
        .values_list("user")
        .annotate(count=Count("pk"))
    )
    counted, passed = dict(asked), dict(missed)
    return {pk: Reliability(counted.get(pk, 0), passed.get(pk, 0)) for pk in ids}
