"""Read what a user has solved, by date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from studies.models import DailyTry, LearnedStep, SolvedPuzzle


@dataclass(frozen=True)
class Solved:
    """Something that the user solved: a puzzle with its number and kind, or a task by its name. `is_daily`: it was the
    puzzle of that day, at the first try. `is_merged`: it was brought from a browser, and solved before."""

    at: datetime
    puzzle: int | None = None
    kind: str = ""
    task: str = ""
    is_daily: bool = False
    is_merged: bool = False


def list_solved(user: User) -> list[Solved]:
    """Return all that the user has solved, the latest first: there are no more than puzzles, tasks and days."""
    tries = DailyTry.objects.filter(user=user, solved=True).values_list("tried_at", "puzzle", "puzzle__kind")
    daily = [Solved(at, puzzle, kind or "", is_daily=True) for at, puzzle, kind in tries.order_by("pk")]
    # The first try of a day is stored with the same moment as the puzzle that it solves.
    known = {(each.puzzle, each.at) for each in daily}
    solved = SolvedPuzzle.objects.filter(user=user).order_by("pk")
    puzzles = [
        Solved(at, puzzle, kind, is_merged=is_merged)
        for at, puzzle, kind, is_merged in solved.values_list("solved_at", "puzzle", "puzzle__kind", "is_merged")
        if (puzzle, at) not in known
    ]
    steps = LearnedStep.objects.filter(user=user).exclude(name__startswith="cast-").order_by("pk")
    tasks = [
        Solved(at, task=name, is_merged=is_merged)
        for at, name, is_merged in steps.values_list("learned_at", "name", "is_merged")
    ]
    return sorted([*daily, *puzzles, *tasks], key=lambda each: each.at, reverse=True)
