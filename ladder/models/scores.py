"""The effect of battles on scores."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import Mage


class ScoreKind(models.TextChoices):
    DUEL = "duel"
    MELEE = "melee"


class ScoreEntry(models.Model):
    """The effect of one battle on one score of one mage, once per reason. The sum of the changes is the score.

    `due` is the battle's worth by the rules, `change` the actual change: a score never falls below zero. When an
    earlier battle is annulled or corrected, `before`, `change` and `after` are recomputed, and the old values are kept
    as a RevisedEntry. The rows of a mage and kind count in the order of their keys.
    """

    class Reason(models.TextChoices):
        WON = "won"
        # Won, but too far above the others: the terms give no points.
        WITHHELD = "withheld"
        SHARED = "shared"
        DREW = "drew"
        LOST = "lost"
        DIED = "died"
        SURRENDERED = "surrendered"

    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="score_entries")
    kind = models.CharField(max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField()
    due = models.IntegerField()
    before = models.PositiveIntegerField()
    change = models.IntegerField()
    after = models.PositiveIntegerField()
    reason = models.CharField(max_length=12, choices=Reason.choices)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "score entries"
        constraints = [
            models.UniqueConstraint(fields=["mage", "battle", "kind", "reason"], name="score_entry_once"),
            models.CheckConstraint(condition=Q(after=F("before") + F("change")), name="score_entry_adds_up"),
            models.CheckConstraint(condition=Q(after__gte=0), name="score_never_below_zero"),
            models.CheckConstraint(
                condition=Q(change=F("due")) | Q(due__lt=F("change"), after=0), name="score_entry_gives_what_is_due"
            ),
        ]
        indexes = [models.Index(fields=["battle"], name="score_entry_battle")]

    def __str__(self) -> str:
        return f"{self.mage} {self.kind} {self.change:+d} ({self.reason}, battle {self.battle})"
