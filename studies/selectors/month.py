"""Count the puzzles of a span of time, for everyone together."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from studies.models import PuzzleTry


@dataclass(frozen=True)
class PuzzleFigures:
    """How many first tries there were, and how many solved their puzzle. They stay when an account closes."""

    tries: int
    solved: int


def count_puzzles(begin: datetime, end: datetime) -> PuzzleFigures:
    tries = PuzzleTry.objects.filter(tried_at__gte=begin, tried_at__lt=end)
    return PuzzleFigures(**tries.aggregate(tries=Count("pk"), solved=Count("pk", filter=Q(solved=True))))
