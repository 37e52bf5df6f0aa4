"""The site in numbers: users, mages and battles."""

from dataclasses import dataclass

from accounts.selectors.users import count_people
from duels.models import Battle
from ladder.selectors.statistics import count_battles_fought
from operations.models import SiteSum

SUMS = ("users", "mages", "going_on")


@dataclass(frozen=True)
class SiteFigures:
    """The number of active users without guests, living mages, running battles, and finished duels and melees that
    count. Battles of bots alone don't count: they play each other every day."""

    users: int
    mages: int
    going_on: int
    duels: int
    melees: int


def count_site() -> dict[str, int]:
    """Count the rows for SiteFigures, by its names. A task stores the counts, and pages read those."""
    users, mages = count_people()
    going_on = Battle.objects.filter(finished_at__isnull=True).exclude(company=Battle.Company.BOTS)
    return {"users": users, "mages": mages, "going_on": going_on.count()}


def read_site_figures() -> SiteFigures:
    """Return the numbers as they were stored last. The ladder keeps those of finished battles."""
    sums = dict(SiteSum.objects.filter(name__in=SUMS).values_list("name", "amount"))
    if len(sums) < len(SUMS):  # nothing is stored before the task has run
        sums = count_site()
    fought = count_battles_fought()
    return SiteFigures(**sums, duels=fought[Battle.Kind.DUEL.value], melees=fought[Battle.Kind.MELEE.value])
