"""Puzzles: positions with a proof, users' first tries, and the ratings of both.

Their tables keep the names they got when puzzles were part of `duels`.
"""

from django.conf import settings
from django.db import models

from duels.models import Battle


class Skilled(models.Model):
    """Base class of rows with a Glicko-2 rating among puzzles. `tries` counts the first tries that changed it."""

    rating = models.FloatField(default=1500.0)
    deviation = models.FloatField(default=350.0)
    volatility = models.FloatField(default=0.06)
    tries = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class Puzzle(Skilled):
    """A position for `mage` to solve: `rules_engine.puzzles` has proved it.

    `state` is the output of `write_state`, `events` those of each turn before. `answers` defeat every wrong turn.
    For a win in two turns, `solutions` are all first turns that win, and `reply` is the opponent's answer to them.
    `battle` is None for a puzzle that comes with the program.
    """

    class Kind(models.TextChoices):
        WIN = "win"
        TWO = "two"
        SURVIVE = "survive"

    key = models.CharField(max_length=40, unique=True)
    kind = models.CharField(max_length=8, choices=Kind)
    mage = models.CharField(max_length=40)
    state = models.JSONField(editable=False)
    events = models.JSONField(default=list, editable=False, db_column="told")
    solutions = models.JSONField(default=list, editable=False)
    answers = models.JSONField(default=list, editable=False)
    reply = models.TextField(blank=True, default="", editable=False)
    battle = models.ForeignKey(Battle, null=True, on_delete=models.CASCADE, related_name="puzzles")
    added_on = models.DateField()
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "duels_puzzle"
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.key


class PuzzleTry(models.Model):
    """The first try of a user at a puzzle: the only one that counts."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_tries")
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="first_tries")
    solved = models.BooleanField()
    tried_at = models.DateTimeField()
    rating_before = models.FloatField()
    rating_after = models.FloatField()

    class Meta:
        db_table = "duels_puzzletry"
        constraints = [models.UniqueConstraint(fields=["user", "puzzle"], name="puzzle_tried_first_once")]

    def __str__(self) -> str:
        return f"{self.user} tried {self.puzzle}"


class PuzzleSkill(Skilled):
    """The puzzle rating of a user."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_skill")

    class Meta:
        db_table = "duels_puzzleskill"

    def __str__(self) -> str:
        return f"{self.user} {self.rating:.1f}"


class OwnMistake(models.Model):
    """A mistake in a battle of the user's own that they try to solve, or that was chosen for them in a `week` (its
    Monday). Tries count for no rating."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_mistakes")
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="own_mistakes")
    seq = models.PositiveIntegerField()
    label = models.CharField(max_length=12)
    week = models.DateField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    solved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "battle", "seq"], name="own_mistake_once"),
            models.UniqueConstraint(fields=["user", "week"], name="own_mistake_once_a_week"),
        ]

    def __str__(self) -> str:
        return f"{self.user}'s mistake in turn {self.label} of {self.battle}"


class SearchedBattle(models.Model):
    """A finished battle that was searched for puzzles: none is searched twice."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="searched")

    class Meta:
        db_table = "duels_searchedbattle"

    def __str__(self) -> str:
        return f"puzzles of {self.battle}"
