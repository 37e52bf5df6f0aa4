"""How the house is: signs of life, times when it was out of order or closed, and what it tells everybody."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import localtime


class Heartbeat(models.Model):
    """When one part of the house was last well. A part without a row is not watched.

    `failing_since` is set while the part is there and what it does fails, as a postman whose mail server is away.
    """

    class Part(models.TextChoices):
        BEAT = "beat", "background work"
        SITE = "site", "pages"
        MAIL_IN = "mail_in", "incoming email"
        MAIL_OUT = "mail_out", "outgoing email"

    part = models.CharField(max_length=8, choices=Part, unique=True)
    beat_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.get_part_display()


class Outage(models.Model):
    """A time in which the house was out of order, or closed for maintenance: nobody's clock runs in it.

    There is one open at a time, whatever else fails meanwhile, and none begins before the one before it ended, so that
    no moment is given back twice. `part` names what failed ("beat", "mail_out site", "maintenance"). `given_back_at`
    is when the clocks of battles had got the time.
    """

    part = models.CharField(max_length=60)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    given_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at", "-pk"]
        indexes = [models.Index(fields=["started_at"], name="outage_waits", condition=Q(given_back_at=None))]
        constraints = [
            models.UniqueConstraint(models.Value(1), condition=Q(ended_at=None), name="outage_open_once"),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("started_at")), name="outage_ends_after_its_start"
            ),
            models.CheckConstraint(
                condition=Q(given_back_at=None) | Q(ended_at__isnull=False), name="outage_is_over_when_given_back"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.part} from {localtime(self.started_at):%-d %B %Y, %H:%M}"


class Maintenance(models.Model):
    """The house is closed by a janitor: pages say so, mail waits, nobody is reminded, clocks stop."""

    reason = models.CharField(max_length=300, help_text="Everyone sees it on every page.")
    started_at = models.DateTimeField()
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name_plural = "maintenance"
        ordering = ["-started_at", "-pk"]
        constraints = [
            models.UniqueConstraint(models.Value(1), condition=Q(ended_at=None), name="maintenance_open_once"),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None) | Q(ended_at__gte=F("started_at"), ended_by__isnull=False),
                name="maintenance_end_has_its_janitor",
            ),
        ]

    def __str__(self) -> str:
        return f"maintenance from {localtime(self.started_at):%-d %B %Y, %H:%M}"


class Announcement(models.Model):
    """Word of a janitor to everybody: on every page until `until`, and by mail to those who want it.

    `told_upto` is the id of the last user that a notice was written for; None once all have one.
    """

    text = models.TextField(max_length=2000)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    starts_at = models.DateTimeField()
    until = models.DateTimeField()
    is_mailed = models.BooleanField("also by email", default=False)
    told_upto = models.PositiveBigIntegerField(null=True, blank=True, default=None)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-starts_at", "-pk"]
        indexes = [
            models.Index(fields=["until"], name="announcement_until"),
            models.Index(fields=["id"], name="announcement_to_tell", condition=Q(told_upto__isnull=False)),
        ]
        constraints = [models.CheckConstraint(condition=Q(until__gt=F("starts_at")), name="announcement_has_a_length")]

    def __str__(self) -> str:
        return self.text[:60]


class Chore(models.Model):
    """What is done once a day, by whoever claims the row: a claim of an hour ago that is not done may be taken over."""

    name = models.CharField(max_length=20)
    day = models.DateField()
    claimed_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    remark = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["-day", "name"]
        constraints = [models.UniqueConstraint(fields=["name", "day"], name="chore_once_a_day")]

    def __str__(self) -> str:
        return f"{self.name} of {self.day}"
