"""Figures of the whole house."""

from dataclasses import dataclass

from duels.models import Battle


@dataclass(frozen=True)
class HouseFigures:
    """How many battles go on, and how many have been fought to their end: duels and melees."""

    going_on: int
    duels: int
    melees: int


def read_house_figures() -> HouseFigures:
    """Count the battles."""
    ended = Battle.objects.filter(status=Battle.Status.FINISHED)
    return HouseFigures(
        going_on=Battle.objects.filter(finished_at__isnull=True).count(),
        duels=ended.filter(kind=Battle.Kind.DUEL).count(),
        melees=ended.filter(kind=Battle.Kind.MELEE).count(),
    )
