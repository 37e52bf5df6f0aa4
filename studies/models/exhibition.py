"""The exhibition of the bots: what is on where people fight no battle."""

from django.db import models
from django.db.models import Q


class Exhibition(models.Model):
    """A duel of two bots that is only shown: it is no battle, so it counts nowhere and occupies no mage.

    `bots` are the strengths that play `mages`. `played` has, for each turn, the orders by mage; with the `seed` they
    give every position. `due_at` is when the next turn may be played; a worker that plays one moves it first.
    """

    mages = models.JSONField()
    bots = models.JSONField()
    seed = models.CharField(max_length=64, editable=False)
    played = models.JSONField(default=list)
    turns = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField()
    due_at = models.DateTimeField()
    is_running = models.BooleanField(default=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_running"], condition=Q(is_running=True), name="exhibition_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(is_running=True, ended_at=None) | Q(is_running=False, ended_at__isnull=False),
                name="exhibition_ended_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"exhibition {self.pk}"
