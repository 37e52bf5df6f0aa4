"""The effect of battles on scores, and changes of counted results."""

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
        # Won, but the winner had beaten these users too often within a month.
        REPEATED = "repeated"
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


class ScoreRevision(models.Model):
    """A change of a counted result, and why."""

    class What(models.TextChoices):
        ANNULLED = "annulled"
        RESTORED = "restored"
        CORRECTED = "corrected"
        # The battle continues from an earlier turn and will end again.
        REOPENED = "reopened"

    battle = models.PositiveBigIntegerField()
    what = models.CharField(max_length=9, choices=What.choices)
    reason = models.TextField(blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["battle"], name="score_revision_battle")]

    def __str__(self) -> str:
        return f"battle {self.battle} {self.what}"


class RevisedEntry(models.Model):
    """A score row before and after a revision: its columns, or null if there was or is no row.

    `entry` is the row's key: a row that is deleted and restored keeps its key.
    """

    revision = models.ForeignKey(ScoreRevision, on_delete=models.CASCADE, related_name="entries")
    entry = models.PositiveBigIntegerField()
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="revised_entries")
    kind = models.CharField(max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField()
    was = models.JSONField(null=True)
    became = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "revised entries"
        constraints = [
            models.UniqueConstraint(fields=["revision", "entry"], name="revised_entry_once"),
            models.CheckConstraint(
                condition=Q(was__isnull=False) | Q(became__isnull=False), name="revised_entry_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"row {self.entry} of {self.mage}"
