"""Figures of the whole house."""

from dataclasses import dataclass

from duels.models import Battle
from ladder.selectors import count_battles_fought


@dataclass(frozen=True)
class HouseFigures:
    """How many battles go on, and how many that count have been fought to their end: duels and melees."""

    going_on: int
    duels: int
    melees: int


def read_house_figures() -> HouseFigures:
    """Count the battles that go on; of those that are over the ladder keeps the numbers."""
    fought = count_battles_fought()
    return HouseFigures(
        going_on=Battle.objects.filter(finished_at__isnull=True).count(),
        duels=fought[Battle.Kind.DUEL.value],
        melees=fought[Battle.Kind.MELEE.value],
    )
