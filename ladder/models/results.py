"""How battles ended: the ladder's own record, from which every figure can be made again."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Mage
from ladder.models.scores import ScoreKind


class Stakes(models.TextChoices):
    """What a battle is fought for; `ladder.stakes` says what each of them means."""

    LADDER = "ladder"
    BAND = "band"
    NO_GAIN = "no-gain"
    FRIENDLY = "friendly"
    VERY_FRIENDLY = "very-friendly"


class ScoredBattle(models.Model):
    """A battle whose result has been counted. Its number is unique: no battle counts twice.

    Battles count in the order of `scored_at`, which is the moment of their end, then of their numbers. `practice`: all
    mages are of one user; `deadly`: who dies in it is dead for good. While `annulled_at` is set the battle counts for
    nothing, and its rows are put aside. `is_rated` says that ratings have taken it in, if only to stay as they are.
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
    """How one mage came out of a battle: won or not, dead or alive. When two accounts become one it goes with its user,
    and the ratings of the two follow by making them again.

    `score_at_start` is his score of the battle's kind as it began. `is_real_death` says that the battle takes his life;
    in practice and between friends nobody dies for good.
    """

    battle = models.ForeignKey(ScoredBattle, on_delete=models.CASCADE, related_name="placings")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="placings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="placings")
    won = models.BooleanField()
    died = models.BooleanField()
    is_real_death = models.BooleanField(default=False)
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
    """A mage who died in a battle, with the score of its kind that died with him; a score of nothing too."""

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
