"""What people write about a mage who died."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.mage import Mage

OBITUARY_LENGTH = 140


class ObituaryLine(models.Model):
    """A line on the page of a dead mage, by someone who fought them (studies.services.obituaries): one for each writer.

    It goes with the account of its writer. A removed line stays as a row, so that a janitor's removal can be undone and
    its writer does not write another one.
    """

    mage = models.ForeignKey(Mage, on_delete=models.CASCADE, related_name="obituary_lines")
    writer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="obituary_lines")
    text = models.CharField(max_length=OBITUARY_LENGTH)
    written_at = models.DateTimeField(default=timezone.now, editable=False)
    # When the mage's user or a janitor removed it.
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["mage", "writer"], name="obituary_line_once"),
            models.CheckConstraint(condition=~Q(text=""), name="obituary_line_says_something"),
        ]

    def __str__(self) -> str:
        return f"line on {self.mage}"
