"""A cup: a knock-out of the month, a live evening, or a round robin of users' bots."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.rules.cup_calendar import LEAST_BOTS, LEAST_ENTRANTS, MOST_LATE


class Cup(models.Model):
    """One knock-out, live evening or round robin, made by the schedule. People join the first two, bots of users the
    last.

    `key` says which: "2026-12" or "evening-2026-12-04"; the schedule makes each once. `size` is how many places there
    are. At `confirmed_at`, the day before, enough had signed up. `round` is the last round that began at
    `round_began_at`; 0 before the first. With `has_bots`, bots fill free places.
    """

    class Kind(models.TextChoices):
        KNOCKOUT = "knockout", _("knock-out")
        EVENING = "evening", _("live evening")
        ROUND_ROBIN = "round-robin", _("round robin of bots")

    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=11, choices=Kind)
    key = models.CharField(max_length=24, unique=True)
    size = models.PositiveSmallIntegerField(pgettext_lazy("column", "places"))
    has_bots = models.BooleanField(pgettext_lazy("column", "with bots"), default=False)
    begins_at = models.DateTimeField(pgettext_lazy("column", "begins"))
    confirmed_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(pgettext_lazy("column", "began"), null=True, blank=True)
    round = models.PositiveSmallIntegerField(pgettext_lazy("column", "round"), default=0)
    round_began_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(pgettext_lazy("column", "ended"), null=True, blank=True)
    # With too few entrants, or because a live cup could not begin in time.
    cancelled_at = models.DateTimeField(pgettext_lazy("column", "cancelled"), null=True, blank=True)

    class Meta:
        verbose_name = _("cup")
        verbose_name_plural = _("cups")
        ordering = ["begins_at", "pk"]
        indexes = [
            models.Index(fields=["begins_at"], name="cup_open", condition=Q(closed_at=None, cancelled_at=None)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(started_at=None, round=0) | Q(started_at__isnull=False, round__gte=1),
                name="cup_starts_with_round_one",
            ),
            models.CheckConstraint(
                condition=Q(cancelled_at=None) | Q(started_at=None), name="cup_cancelled_never_started"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(started_at__isnull=False), name="cup_closed_was_started"
            ),
        ]

    def __str__(self) -> str:
        return f"cup {self.key}"

    @property
    def is_evening(self) -> bool:
        return self.kind == self.Kind.EVENING

    @property
    def is_round_robin(self) -> bool:
        return self.kind == self.Kind.ROUND_ROBIN

    @property
    def is_live(self) -> bool:
        """Whether all duels of a round begin together, and it ends when its time is up."""
        return self.kind != self.Kind.KNOCKOUT

    @property
    def least_entrants(self) -> int:
        """How many must have joined the day before."""
        return LEAST_BOTS if self.is_round_robin else LEAST_ENTRANTS

    @property
    def is_cancelled(self) -> bool:
        return self.cancelled_at is not None

    @property
    def was_too_late(self) -> bool:
        """Whether it was cancelled because it could not begin in time."""
        return self.cancelled_at is not None and self.is_too_late(self.cancelled_at)

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end."""
        return self.closed_at is not None

    @property
    def is_running(self) -> bool:
        return self.started_at is not None and self.closed_at is None

    def is_too_late(self, now: datetime) -> bool:
        """Return whether a live cup is so late that its entrants can't be expected to be waiting still."""
        return self.is_live and now > self.begins_at + MOST_LATE

    def takes_entrants(self, now: datetime) -> bool:
        """Return whether people can still sign up or withdraw."""
        return self.started_at is None and not self.is_cancelled and now < self.begins_at
