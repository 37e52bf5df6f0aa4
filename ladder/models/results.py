"""Results of battles: the ladder's own record, from which all ratings and records can be rebuilt."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class Stakes(models.TextChoices):
    """The stakes of a battle; `ladder.stakes` defines each."""

    LADDER = "ladder"
    BAND = "band"
    NO_GAIN = "no-gain"
    FRIENDLY = "friendly"
    VERY_FRIENDLY = "very-friendly"
    BOTS = "bots"


class ScoredBattle(models.Model):
    """A battle whose result has been counted. Its number is unique: no battle counts twice.

    Battles count in the order of `scored_at`, the time of their end, then of their numbers. `practice`: all mages
    belong to one user. `deadly`: mages who die in it are dead for good. While `annulled_at` is set, the battle does
    not count, and its rows are removed. `is_rated`: ratings include it, even if it changed none.
    """

    number = models.PositiveBigIntegerField(unique=True)
    kind = models.CharField(max_length=5, choices=ScoreKind.choices)
    practice = models.BooleanField()
    deadly = models.BooleanField(default=True)
    stakes = models.CharField(max_length=13, choices=Stakes.choices, default=Stakes.LADDER)
    scored_at = models.DateTimeField(default=timezone.now, editable=False)
    annulled_at = models.DateTimeField(null=True, blank=True)
    is_rated = models.BooleanField(default=False, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["kind", "scored_at", "number"], name="scored_battle_in_order"),
            models.Index(
                fields=["kind", "scored_at", "number"], name="scored_battle_to_rate", condition=Q(is_rated=False)
            ),
        ]

    def __str__(self) -> str:
        return f"battle {self.number}"


class Placing(models.Model):
    """The result of one mage in a battle: won or not, dead or alive. When two accounts are merged, it moves to the
    other user, and both users' ratings are rebuilt.

    `score_at_start` is the mage's score of the battle's kind at the start. `is_real_death`: the battle killed the mage
    for good; in practice and friendly battles deaths are not real. `is_repeated`: the winners had beaten this mage's
    user too often within a month, so this mage gives them no point, and does not count in ratings.
    """

    battle = models.ForeignKey(ScoredBattle, on_delete=models.CASCADE, related_name="placings")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="placings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="placings")
    won = models.BooleanField()
    died = models.BooleanField()
    is_real_death = models.BooleanField(default=False)
    is_repeated = models.BooleanField(default=False, db_default=False)
    score_at_start = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["battle", "mage"], name="placing_once"),
            models.CheckConstraint(condition=~Q(won=True, died=True), name="placing_no_dead_winner"),
            models.CheckConstraint(
                condition=Q(died=True) | Q(is_real_death=False), name="placing_real_death_is_a_death"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage} in {self.battle}"


class Remembrance(models.Model):
    """A mage who died in a battle, with their score at that moment, even if zero."""

    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="remembrances")
    kind = models.CharField(max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField()
    score = models.PositiveIntegerField()
    died_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["mage"], name="remembrance_once")]
        indexes = [models.Index(fields=["kind", "-score"], name="remembrance_highest")]

    def __str__(self) -> str:
        return f"{self.mage}, {self.kind} score {self.score}"
