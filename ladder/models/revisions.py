"""Changes of counted results, logged so that every score can be traced."""

from django.db import models
from django.db.models import Q

from accounts.models import Mage
from ladder.models.scores import ScoreKind


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
