"""The effect of battles on scores, and changes of counted results."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Mage


class ScoreKind(models.TextChoices):
    DUEL = "duel", pgettext_lazy("choice", "Duel")
    MELEE = "melee", pgettext_lazy("choice", "Melee")


class ScoreEntry(models.Model):
    """The effect of one battle on one score of one mage, once per reason. The sum of the changes is the score.

    `due` is the battle's worth by the rules, `change` the actual change: a score never falls below zero. When an
    earlier battle is annulled or corrected, `before`, `change` and `after` are recomputed, and the old values are kept
    as a RevisedEntry. The rows of a mage and kind count in the order of their keys.
    """

    class Reason(models.TextChoices):
        WON = "won", pgettext_lazy("choice", "Won")
        # Won, but too far above the others: the terms give no points.
        WITHHELD = "withheld", pgettext_lazy("choice", "Withheld")
        # Won, but the winner had beaten these users too often within a month.
        REPEATED = "repeated", pgettext_lazy("choice", "Repeated")
        SHARED = "shared", pgettext_lazy("choice", "Shared")
        DREW = "drew", pgettext_lazy("choice", "Drew")
        LOST = "lost", pgettext_lazy("choice", "Lost")
        DIED = "died", pgettext_lazy("choice", "Died")
        SURRENDERED = "surrendered", pgettext_lazy("choice", "Surrendered")

    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="score_entries"
    )
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField(pgettext_lazy("column", "battle"))
    due = models.IntegerField(pgettext_lazy("column", "points due"))
    before = models.PositiveIntegerField(pgettext_lazy("column", "before"))
    change = models.IntegerField(pgettext_lazy("column", "change"))
    after = models.PositiveIntegerField(pgettext_lazy("column", "after"))
    reason = models.CharField(pgettext_lazy("column", "reason"), max_length=12, choices=Reason.choices)
    created_at = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("score entry")
        verbose_name_plural = _("score entries")
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
    """A change of a counted result, and why.

    `ended_at` is when the battle had ended: null if it had not, and in revisions of before this was stored.
    """

    class What(models.TextChoices):
        ANNULLED = "annulled", pgettext_lazy("choice", "Annulled")
        RESTORED = "restored", pgettext_lazy("choice", "Restored")
        CORRECTED = "corrected", pgettext_lazy("choice", "Corrected")
        # The battle continues from an earlier turn and will end again.
        REOPENED = "reopened", pgettext_lazy("choice", "Reopened")

    battle = models.PositiveBigIntegerField(pgettext_lazy("column", "battle"))
    what = models.CharField(pgettext_lazy("column", "what happened"), max_length=9, choices=What.choices)
    reason = models.TextField(pgettext_lazy("column", "reason"), blank=True, default="")
    created_at = models.DateTimeField(pgettext_lazy("column", "created"))
    ended_at = models.DateTimeField(pgettext_lazy("column", "ended"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("score revision")
        verbose_name_plural = _("score revisions")
        indexes = [models.Index(fields=["battle"], name="score_revision_battle")]

    def __str__(self) -> str:
        return f"battle {self.battle} {self.what}"


class RevisedEntry(models.Model):
    """A score row before and after a revision: its columns, or null if there was or is no row.

    `entry` is the row's key: a row that is deleted and restored keeps its key.
    """

    revision = models.ForeignKey(
        ScoreRevision,
        verbose_name=pgettext_lazy("column", "revision"),
        on_delete=models.CASCADE,
        related_name="entries",
    )
    entry = models.PositiveBigIntegerField(pgettext_lazy("column", "entry"))
    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="revised_entries"
    )
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=5, choices=ScoreKind.choices)
    battle = models.PositiveBigIntegerField(pgettext_lazy("column", "battle"))
    was = models.JSONField(pgettext_lazy("column", "was"), null=True)
    became = models.JSONField(pgettext_lazy("column", "became"), null=True)

    class Meta:
        verbose_name = _("revised entry")
        verbose_name_plural = _("revised entries")
        constraints = [
            models.UniqueConstraint(fields=["revision", "entry"], name="revised_entry_once"),
            models.CheckConstraint(
                condition=Q(was__isnull=False) | Q(became__isnull=False), name="revised_entry_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"row {self.entry} of {self.mage}"
