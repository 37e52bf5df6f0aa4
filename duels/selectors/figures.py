"""Figures of the whole house. Of spells only those count that were cast in battles that are over: nothing leaks."""

from dataclasses import dataclass

from django.db.models import Count

from duels.models import Battle, TurnEvent


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


def count_spells_cast() -> dict[str, int]:
    """Return how often each spell was cast in battles that are over, the most usual first."""
    cast = TurnEvent.objects.filter(kind="casts", battle__status=Battle.Status.FINISHED, turn__taken_back_by=None)
    rows = cast.order_by().values("facts__spell").annotate(times=Count("pk"))
    return {
        row["facts__spell"]: row["times"] for row in sorted(rows, key=lambda row: (-row["times"], row["facts__spell"]))
    }
