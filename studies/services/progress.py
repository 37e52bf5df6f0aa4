"""Store what users solve."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction

from accounts.models import User
from studies.models import DailyTry, LearnedStep, Puzzle, SolvedPuzzle
from studies.selectors.learning import forget_recalled_learning
from studies.selectors.puzzles import find_daily_puzzle
from studies.services.puzzles import RatingChange, count_try
from studies.services.streak_notices import hide_streak_news


def record_puzzle_try(
    *, user: User, puzzle: Puzzle, solved: bool, steps: Collection[str] = (), now: datetime
) -> RatingChange | None:
    """Store a try at a puzzle that arrived at `now`, with the names of the spells that it cast if it `solved` it.

    It counts for the streak if it is the user's first one that day at the puzzle of the day, and for ratings if it is
    their first one ever; then this returns the change. Of two tries at once, one is the first.
    """
    is_daily = puzzle == find_daily_puzzle(today=now.date())
    with transaction.atomic():
        if is_daily:
            values = {"puzzle": puzzle, "solved": solved, "tried_at": now}
            _row, is_first = DailyTry.objects.get_or_create(user=user, day=now.date(), defaults=values)
            if is_first:
                forget_recalled_learning(user)
                hide_streak_news(user=user, day=now.date())
        if solved:
            _store(user, steps=steps, puzzles=[puzzle.pk], now=now)
        return count_try(user=user, puzzle=puzzle, solved=solved, now=now)


def record_steps(*, user: User, steps: Collection[str], now: datetime) -> None:
    """Store tasks and spells, each once, by their names."""
    with transaction.atomic():
        _store(user, steps=steps, puzzles=(), now=now)


def merge_progress(*, user: User, steps: Collection[str], puzzles: Iterable[int], now: datetime) -> None:
    """Store what a browser knows of: tasks, spells and puzzles that exist, each once. It counts for no streak."""
    known = Puzzle.objects.filter(pk__in=list(puzzles)).order_by("pk").values_list("pk", flat=True)
    with transaction.atomic():
        _store(user, steps=steps, puzzles=known, now=now, is_merged=True)


def _store(
    user: User, *, steps: Collection[str], puzzles: Iterable[int], now: datetime, is_merged: bool = False
) -> None:
    """Store the new ones of these; what is stored keeps its time, also of a request that arrives twice."""
    LearnedStep.objects.bulk_create(
        [LearnedStep(user=user, name=name, learned_at=now, is_merged=is_merged) for name in sorted(steps)],
        ignore_conflicts=True,
    )
    SolvedPuzzle.objects.bulk_create(
        [SolvedPuzzle(user=user, puzzle_id=pk, solved_at=now, is_merged=is_merged) for pk in puzzles],
        ignore_conflicts=True,
    )
    forget_recalled_learning(user)
