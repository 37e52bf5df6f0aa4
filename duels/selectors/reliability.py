"""How reliable users are: the share of deadlines they kept within a year. Practice does not count, because nobody
waits there."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F
from django.utils.translation import gettext as _

from duels.models import MissedTurn, OrderSheet

# Counted back from the user's last activity, so that a year away changes nothing.
YEAR = datetime.timedelta(days=365)
# With fewer turns than this, a percentage means little.
FEWEST_TURNS = 10


@dataclass(frozen=True)
class Reliability:
    """`asked`: the number of stages in which the user had orders to give; `missed`: the deadlines missed, without those
    a janitor excused."""

    asked: int
    missed: int

    @property
    def percent(self) -> int | None:
        """The percentage of turns kept, rounded down; None for new users."""
        if self.asked < FEWEST_TURNS:
            return None
        return max(0, 100 * (self.asked - self.missed) // self.asked)

    @property
    def words(self) -> str:
        """The text for pages: "new here", "97% reliable"."""
        return _("new here") if self.percent is None else _("%(n)s%% reliable") % {"n": self.percent}


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
