"""What battles did to scores."""

from django.db import models
from django.utils import timezone

from accounts.models import Mage


class ScoreKind(models.TextChoices):
    DUEL = "duel"
    MELEE = "melee"


class ScoredBattle(models.Model):
    """A battle whose result has been counted. Its number is unique: no battle counts twice."""

    number = models.PositiveBigIntegerField(unique=True)
    kind = models.CharField(max_length=5, choices=ScoreKind.choices)
    practice = models.BooleanField()
    scored_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"battle {self.number}"


class ScoreEntry(models.Model):
    """What one battle did to one score of one mage, once per reason. The sum of the changes is the score."""

    class Reason(models.TextChoices):
        WON = "won"
        SHARED = "shared"
        DREW = "drew"
        LOST = "lost"
        DIED = "died"
        SURRENDERED = "surrendered"

    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="score_entries")
    kind = models.CharField(max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField()
    before = models.PositiveIntegerField()
    change = models.IntegerField()
    after = models.PositiveIntegerField()
    reason = models.CharField(max_length=12, choices=Reason.choices)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "score entries"
        constraints = [
            models.UniqueConstraint(fields=["mage", "battle", "kind", "reason"], name="score_entry_once"),
            models.CheckConstraint(
                condition=models.Q(after=models.F("before") + models.F("change")), name="score_entry_adds_up"
            ),
            models.CheckConstraint(condition=models.Q(after__gte=0), name="score_never_below_zero"),
        ]
        indexes = [models.Index(fields=["battle"], name="score_entry_battle")]

    def __str__(self) -> str:
        return f"{self.mage} {self.kind} {self.change:+d} ({self.reason}, battle {self.battle})"
