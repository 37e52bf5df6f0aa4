"""Users with two accounts: the traces that hint at them, and merges with the information needed to undo them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class UserMerge(models.Model):
    """A merge of two accounts: since `merged_at`, everything of `merged` belongs to `kept`. `moved` lists it:
    {"accounts.Mage.user": [ids], ...}.

    `is_counted`: ratings and records have been updated for the merge, or for its undoing.
    """

    kept = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "kept"),
        on_delete=models.PROTECT,
        related_name="merges",
    )
    merged = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "merged"),
        on_delete=models.PROTECT,
        related_name="merged_into",
    )
    reason = models.CharField(pgettext_lazy("column", "reason"), max_length=300)
    moved = models.JSONField()
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "merged by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    merged_at = models.DateTimeField(pgettext_lazy("column", "merged"))
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "undone by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    undone_at = models.DateTimeField(pgettext_lazy("column", "undone"), null=True, blank=True)
    is_counted = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("merged user")
        verbose_name_plural = _("merged users")
        ordering = ["-merged_at", "-pk"]
        indexes = [models.Index(fields=["id"], name="user_merge_to_count", condition=Q(is_counted=False))]
        constraints = [
            models.UniqueConstraint(fields=["merged"], condition=Q(undone_at=None), name="user_is_merged_once"),
            models.CheckConstraint(condition=~Q(kept=F("merged")), name="user_is_merged_into_another"),
        ]

    def __str__(self) -> str:
        return f"{self.merged} into {self.kept}"


class Trace(models.Model):
    """A user was seen at an address, in a network, or on a device. Only a keyed hash and the last day are stored."""

    class Kind(models.TextChoices):
        ADDRESS = "address"
        DEVICE = "device"
        NETWORK = "network"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=64, editable=False)
    last_on = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "digest"], name="trace_once")]
        indexes = [
            models.Index(fields=["kind", "digest"], name="trace_shared"),
            models.Index(fields=["last_on"], name="trace_oldest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user}"
