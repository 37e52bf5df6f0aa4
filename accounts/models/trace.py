"""Traces of where users connect from, to detect users who play against themselves. Only keyed hashes, for 30 days."""

from django.conf import settings
from django.db import models


class Trace(models.Model):
    """A user was seen at an address or on a device. Only a keyed hash and the last day are stored."""

    class Kind(models.TextChoices):
        ADDRESS = "address"
        DEVICE = "device"

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
