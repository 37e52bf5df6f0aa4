"""What users have solved: the first try of each day, puzzles, tasks of lessons, and spells that puzzles made them cast.

Only `DailyTry` counts for the streak. What was brought from a browser at a log-in (`is_merged`) has the time of that.
"""

from django.conf import settings
from django.db import models

from studies.models.puzzle import Puzzle


class DailyTry(models.Model):
    """The first try of a user on a day of UTC at the puzzle of that day, as it arrived."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="daily_tries")
    day = models.DateField()
    puzzle = models.ForeignKey(Puzzle, null=True, on_delete=models.SET_NULL, related_name="daily_tries")
    solved = models.BooleanField()
    tried_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "daily tries"
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="daily_try_once_a_day")]
        # Who may have a streak.
        indexes = [models.Index(fields=["day", "user"], name="daily_try_of_day", condition=models.Q(solved=True))]

    def __str__(self) -> str:
        return f"{self.user} on {self.day}"


class SolvedPuzzle(models.Model):
    """A puzzle that a user has solved, at whichever try, and when they first did."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="solved_puzzles")
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="solvers")
    solved_at = models.DateTimeField()
    is_merged = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "puzzle"], name="solved_puzzle_once")]

    def __str__(self) -> str:
        return f"{self.user} solved {self.puzzle}"


class LearnedStep(models.Model):
    """A task that a user has solved, or a spell that a puzzle made them cast; `name` is that in the cookie of strangers
    (studies.progress): "hands-1", "cast-fear"."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="learned_steps")
    name = models.CharField(max_length=60)
    learned_at = models.DateTimeField()
    is_merged = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="learned_step_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"
