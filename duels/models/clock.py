"""Rows of time: the clock of every mage who is waited for, when it stands still, and what was missed."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from duels.models.battle import Battle, Combatant, Stage


class Deadline(models.Model):
    """The clock of a mage whose orders are waited for. It goes when they are ready or the stage is over.

    Of `allowed` he had used up `used` at `running_since`; since then it runs, or it stands still (empty). What follows
    from that is written out in moments, which are empty while it stands: `nag_at` the next reminder, `alarm_at` when
    four fifths are used up, `ends_at` the deadline, which brings the final notice, `forfeit_at` the end of the grace.
    `due_at` is the moment of `step`, what comes next: a sweep reads nothing else. No moment says more than the clock;
    `duels.services.clocks` writes both.
    """

    class Step(models.TextChoices):
        REMIND = "remind"
        ALARM = "alarm"
        FINAL = "final"
        FORFEIT = "forfeit"

    combatant = models.OneToOneField(Combatant, on_delete=models.CASCADE, related_name="deadline")
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="deadlines")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="deadlines")
    allowed = models.DurationField()
    grace = models.DurationField()
    used = models.DurationField()
    running_since = models.DateTimeField(null=True, blank=True)
    # When it rests in between: {"zone", "weekends", "night"}, or {} if never. It is fixed when the stage opens.
    rest = models.JSONField(default=dict, blank=True)
    step = models.CharField(max_length=8, choices=Step)
    reminders = models.PositiveSmallIntegerField(default=0)
    # How often it was lengthened: a notice is sent once for each deadline, and a longer one is another.
    extensions = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    nag_at = models.DateTimeField(null=True, blank=True)
    alarm_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    forfeit_at = models.DateTimeField(null=True, blank=True)
    # Time lost to outages that were over by then has been given back.
    settled_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["due_at", "id"], name="deadline_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["settled_at"], name="deadline_settled"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(running_since=None, due_at=None, ends_at=None, forfeit_at=None, nag_at=None, alarm_at=None)
                | Q(
                    running_since__isnull=False,
                    due_at__isnull=False,
                    ends_at__isnull=False,
                    forfeit_at__gte=F("ends_at"),
                ),
                name="deadline_stands_or_runs",
            ),
            models.CheckConstraint(
                condition=Q(step__in=["remind", "alarm", "final", "forfeit"]), name="deadline_step_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"deadline of {self.combatant}"

    @property
    def stands(self) -> bool:
        """True while it does not run."""
        return self.running_since is None


class ClockStop(models.Model):
    """A time in which clocks of a battle stand still: one mage's, or everybody's where `combatant` is empty.

    It goes on until `ended_at` is set; where `until` is known before, a sweep sets it then.
    """

    class Reason(models.TextChoices):
        VACATION = "vacation", "vacation"
        BOUNCE = "bounce", "bounced email"
        PAUSE = "pause", "a pause all players agreed to"
        JANITOR = "janitor", "a pause by a janitor"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="clock_stops")
    combatant = models.ForeignKey(
        Combatant, null=True, blank=True, on_delete=models.CASCADE, related_name="clock_stops"
    )
    reason = models.CharField(max_length=8, choices=Reason)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # When an absence that goes on has used up what the house allows; empty once the others are told.
    long_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["since", "pk"]
        indexes = [
            models.Index(fields=["long_at"], name="clock_stop_long", condition=Q(ended_at=None, long_at__isnull=False)),
            models.Index(fields=["until"], name="clock_stop_ends", condition=Q(ended_at=None, until__isnull=False)),
            models.Index(fields=["reason"], name="clock_stop_open", condition=Q(ended_at=None)),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["combatant", "reason"], condition=Q(ended_at=None), name="clock_stop_open_once_per_mage"
            ),
            models.UniqueConstraint(
                fields=["battle", "reason"],
                condition=Q(ended_at=None, combatant=None),
                name="clock_stop_open_once_per_battle",
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("since")), name="clock_stop_ends_after_its_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()} in {self.battle}"

    def concerns(self, combatant_id: int) -> bool:
        """Say whether the clock of that mage stands still for it."""
        return self.combatant_id is None or self.combatant_id == combatant_id

    def lasts_at(self, now: datetime) -> bool:
        return self.ended_at is None and self.since <= now and (self.until is None or now < self.until)


class ClockTrouble(models.Model):
    """That the clocks of a battle could not be looked after: they are tried again at `retry_at`, each time later, so
    that they keep no other battle waiting. It goes as soon as that works."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="clock_trouble")
    since = models.DateTimeField()
    retry_at = models.DateTimeField()
    failures = models.PositiveIntegerField(default=1)
    error = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"trouble with the clocks of {self.battle}"


class MissedTurn(models.Model):
    """A deadline that a mage let pass. It counts against his user for a year, unless it is excused."""

    combatant = models.ForeignKey(Combatant, on_delete=models.CASCADE, related_name="missed")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="missed_turns")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="missed")
    missed_at = models.DateTimeField()
    excused_at = models.DateTimeField(null=True, blank=True)
    excuse = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ["-missed_at", "-pk"]
        indexes = [models.Index(fields=["user", "missed_at"], name="missed_by_user")]
        constraints = [
            models.UniqueConstraint(fields=["combatant", "stage"], name="missed_once_per_stage"),
            models.CheckConstraint(
                condition=Q(excused_at=None, excuse="") | Q(excused_at__isnull=False) & ~Q(excuse=""),
                name="missed_excused_has_its_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"turn missed by {self.combatant}"
