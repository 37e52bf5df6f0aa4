"""What janitors do to users, and what can be undone of what they do."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from fm_site.moderation.models.report import Report


class Undoable(models.Model):
    """What a janitor did and why, and whether it was undone. `facts` may be read; `before` and `after` are the rows
    that were changed (fm_site.moderation.services.kept_rows) and are shown to nobody."""

    reason = models.TextField()
    facts = models.JSONField(default=dict)
    before = models.JSONField(default=dict, editable=False)
    after = models.JSONField(default=dict, editable=False)
    made_at = models.DateTimeField()
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_reason = models.TextField(blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_undone(self) -> bool:
        return self.undone_at is not None


class UserAct(Undoable):
    """One thing that a janitor did to a user. Rows are never deleted."""

    class Kind(models.TextChoices):
        RENAMED = "renamed"
        SENT_AWAY = "sent_away", "vacation for him"
        CALLED_BACK = "called_back", "end of his vacation"
        SUSPENDED = "suspended"
        LIFTED = "lifted", "suspension lifted"
        WARNED = "warned"
        WITHDRAWN = "withdrawn", "warning withdrawn"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=12, choices=Kind)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # What led to a warning or suspension.
    report = models.ForeignKey(Report, null=True, blank=True, on_delete=models.SET_NULL, related_name="acts")

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="user_act_has_its_reason"),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True, undone_reason="")
                | (Q(undone_at__isnull=False, undone_by__isnull=False) & ~Q(undone_reason="")),
                name="user_act_undone_by_somebody_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.user}"
