"""Vacations."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """`user` is away from `starts_at` to `until`, or to `ended_at` if they came back early. Each user has one open at a
    time."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-starts_at", "-pk"]
        indexes = [models.Index(fields=["until"], condition=Q(ended_at=None), name="vacation_open_until")]
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(ended_at=None), name="vacation_open_once_per_user"),
            models.CheckConstraint(condition=Q(until__gt=F("starts_at")), name="vacation_has_a_length"),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("starts_at")), name="vacation_ends_after_its_start"
            ),
        ]

    def __str__(self) -> str:
        return f"vacation of {self.user} until {self.until:%Y-%m-%d}"

    def lasts_at(self, now: datetime) -> bool:
        """Return whether the user is away at `now`."""
        return self.ended_at is None and self.starts_at <= now < self.until
