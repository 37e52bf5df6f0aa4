"""Deadlines and clocks: the clock of every mage the battle waits for, when it is stopped, and missed turns."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from duels.clock import NO_REST, Clock, Rest
from duels.models.battle import Battle, Combatant, Stage


class Deadline(models.Model):
    """The clock of a mage the battle waits for. It is deleted when their orders are ready or the stage is over.

    `used` of `allowed` was used up at `running_since`; the clock has run since then, or is stopped (empty). The moments
    follow from that and are empty while it is stopped: `remind_at` is the next reminder, `alarm_at` is when four fifths
    are used up, `ends_at` is the deadline with the final notice, and `forfeit_at` is the end of the grace period.
    `due_at` is the moment of the next `step`, and the only one that sweeps read. `duels.services.clocks` keeps clock
    and moments in agreement.
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
    # When the clock rests: {"zone", "weekends", "night"}, or {} if never. Fixed when the stage opens.
    rest = models.JSONField(default=dict, blank=True)
    step = models.CharField(max_length=8, choices=Step)
    reminders = models.PositiveSmallIntegerField(default=0)
    # How often it was extended: each notice is sent once per deadline, and an extended one counts as new.
    extensions = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True, db_column="nag_at")
    alarm_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    forfeit_at = models.DateTimeField(null=True, blank=True)
    # Time lost to outages that ended by then has been given back.
    settled_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["due_at", "id"], name="deadline_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["settled_at"], name="deadline_settled"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    running_since=None, due_at=None, ends_at=None, forfeit_at=None, remind_at=None, alarm_at=None
                )
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
    def clock(self) -> Clock:
        rest = Rest.from_json(self.rest) if self.rest else NO_REST
        return Clock(self.allowed, self.grace, self.used, self.running_since, rest)

    @property
    def is_stopped(self) -> bool:
        return self.running_since is None


class ClockStop(models.Model):
    """A period in which clocks of a battle are stopped.

    It is about one mage, or about all if `combatant` is empty. A mage's vacation stops the clocks of all who owe
    orders, and undelivered email only that of its mage. It lasts until `ended_at` is set. If `until` is known in
    advance, a sweep sets it then.
    """

    class Reason(models.TextChoices):
        VACATION = "vacation", _("vacation")
        BOUNCE = "bounce", _("bounced email")
        PAUSE = "pause", _("a pause all players agreed to")
        JANITOR = "janitor", _("a pause by a janitor")
        # The first turn of a live battle, until every player is here or time is up.
        PRESENCE = "presence", _("waiting for the players")
        # A live battle while no page was served; recorded when it was over, and its clocks started again.
        OUTAGE = "outage", _("an outage of the site")

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="clock_stops")
    combatant = models.ForeignKey(
        Combatant, null=True, blank=True, on_delete=models.CASCADE, related_name="clock_stops"
    )
    reason = models.CharField(max_length=8, choices=Reason)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # When a current absence reaches the limit of the site's policy; empty once the others are notified.
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
        return self.is_for_all or self.combatant_id == combatant_id

    @property
    def is_for_all(self) -> bool:
        """Whether this stops everyone's clock: nobody loses time while the battle waits for someone else."""
        return self.combatant_id is None or self.reason == self.Reason.VACATION

    def lasts_at(self, now: datetime) -> bool:
        return self.ended_at is None and self.since <= now and (self.until is None or now < self.until)


class ClockTrouble(models.Model):
    """A battle whose clocks could not be processed.

    The next attempt is at `retry_at`, later each time, so that no other battle has to wait. Success deletes the row.
    """

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="clock_trouble")
    since = models.DateTimeField()
    retry_at = models.DateTimeField()
    failures = models.PositiveIntegerField(default=1)
    error = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"trouble with the clocks of {self.battle}"


class MissedTurn(models.Model):
    """A missed deadline. It counts against the user for a year, unless a janitor excuses it.

    `never_moved`: until the mage ran out of time, no order for them was ever accepted in the battle.
    """

    combatant = models.ForeignKey(Combatant, on_delete=models.CASCADE, related_name="missed")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="missed_turns")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="missed")
    missed_at = models.DateTimeField()
    never_moved = models.BooleanField(default=False, db_default=False)
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
