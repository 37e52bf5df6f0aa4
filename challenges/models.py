"""Rows of a challenge: the invitation to a battle, and one seat for every mage that was named or took part."""

from django.db import models
from django.db.models import Q

from accounts.models import Mage


class Challenge(models.Model):
    """A battle that looks for its mages. Its number comes from the sequence that battles use, and the battle keeps it.

    `mages_per_user` is None while only the mages that were named may join (a closed challenge); otherwise anyone may,
    and it says how many mages one user may bring, 0 for any number. `limit` is how many mages start the battle.
    `seats_taken` counts the joined seats, and `revision` rises with every change: one statement claims both, so that of
    two that arrive together the second sees what the first did.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        STARTED = "started"
        WITHDRAWN = "withdrawn"

    number = models.PositiveBigIntegerField(unique=True)
    challenger = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="challenges_made")
    terms = models.JSONField()
    mages_per_user = models.PositiveSmallIntegerField(null=True, blank=True)
    limit = models.PositiveSmallIntegerField(null=True, blank=True)
    comment = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    seats_taken = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["status", "number"], name="challenge_status_number")]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["open", "started", "withdrawn"]), name="challenge_status_is_known"
            ),
            models.CheckConstraint(condition=Q(limit__isnull=True) | Q(limit__gte=2), name="challenge_limit_is_two_up"),
            models.CheckConstraint(
                condition=Q(limit__isnull=True) | Q(seats_taken__lte=models.F("limit")),
                name="challenge_seats_keep_to_the_limit",
            ),
            models.CheckConstraint(
                condition=~Q(status="started") | Q(seats_taken__gte=2), name="challenge_starts_with_two_up"
            ),
        ]

    def __str__(self) -> str:
        return f"challenge {self.number}"


class Seat(models.Model):
    """What one mage is to one challenge. A seat is never deleted: it says that a mage declined, or was left out."""

    class State(models.TextChoices):
        INVITED = "invited"
        JOINED = "joined"
        DECLINED = "declined"
        LEFT_OUT = "left_out"

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="seats")
    mage = models.ForeignKey(Mage, on_delete=models.PROTECT, related_name="seats")
    state = models.CharField(max_length=10, choices=State)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["answered_at", "id"]
        indexes = [models.Index(fields=["state", "mage"], name="seat_state_mage")]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "mage"], name="seat_once_per_mage"),
            models.CheckConstraint(
                condition=Q(state__in=["invited", "joined", "declined", "left_out"]), name="seat_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["invited", "left_out"]) | Q(answered_at__isnull=False),
                name="seat_answer_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage_id} in {self.challenge_id}: {self.state}"
