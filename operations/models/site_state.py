"""The state of the site: heartbeats, outages, maintenance and announcements."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Heartbeat(models.Model):
    """When a part of the site was last well. A part without a row is not watched.

    `failing_since` is set while the part is running but its work fails, for example when the mail server is down.
    """

    class Part(models.TextChoices):
        BEAT = "beat", _("background work")
        SITE = "site", _("pages")
        MAIL_IN = "mail_in", _("incoming email")
        MAIL_OUT = "mail_out", _("outgoing email")

    part = models.CharField(pgettext_lazy("column", "part"), max_length=8, choices=Part, unique=True)
    beat_at = models.DateTimeField(pgettext_lazy("column", "last seen"))
    failing_since = models.DateTimeField(pgettext_lazy("column", "failing since"), null=True, blank=True)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.get_part_display()


class Outage(models.Model):
    """A period in which the site was down or under maintenance: all clocks stop.

    Only one is open at a time, whatever else fails, and none starts before the previous one ended, so that no
    time is given back twice. `part` names what failed ("beat", "mail_out site", "maintenance"). `given_back_at` is when
    the battles' clocks were given the time.
    """

    part = models.CharField(pgettext_lazy("column", "part"), max_length=60)
    started_at = models.DateTimeField(pgettext_lazy("column", "started"))
    ended_at = models.DateTimeField(pgettext_lazy("column", "ended"), null=True, blank=True)
    given_back_at = models.DateTimeField(pgettext_lazy("column", "time given back"), null=True, blank=True)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
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


class PageStamp(models.Model):
    """When a web process last served a page, as the web processes themselves record it while a live battle is open.

    There is one row at most: if one process of several serves pages, the site does. Without a row, nobody is watching.
    """

    stamped_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(models.Value(1), name="page_stamp_once")]

    def __str__(self) -> str:
        return f"page served {localtime(self.stamped_at):%-d %B %Y, %H:%M:%S}"


class PageGap(models.Model):
    """A period in which a live battle was open, but no web process served a page: from the last stamp to the next.

    Nobody in a live battle forfeits in it, and afterwards their clocks start again. `made_good_at` is when that was
    done in every battle.
    """

    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    made_good_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at", "-pk"]
        indexes = [models.Index(fields=["ended_at"], name="page_gap_ended")]
        constraints = [
            models.CheckConstraint(condition=Q(ended_at__gt=F("started_at")), name="page_gap_ends_after_its_start")
        ]

    def __str__(self) -> str:
        return f"no pages from {localtime(self.started_at):%-d %B %Y, %H:%M:%S}"


class Maintenance(models.Model):
    """A janitor started maintenance: pages say so, email waits, reminders and clocks stop.

    `started_by` and `ended_by` are None if the operator did it on the machine itself.
    """

    reason = models.CharField(
        pgettext_lazy("column", "reason"), max_length=300, help_text=_("Everyone sees it on every page.")
    )
    started_at = models.DateTimeField(pgettext_lazy("column", "started"))
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "started by"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    ended_at = models.DateTimeField(pgettext_lazy("column", "ended"), null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "ended by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    class Meta:
        verbose_name = _("maintenance")
        verbose_name_plural = _("maintenance")
        ordering = ["-started_at", "-pk"]
        constraints = [
            models.UniqueConstraint(models.Value(1), condition=Q(ended_at=None), name="maintenance_open_once"),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None) | Q(ended_at__gte=F("started_at")),
                name="maintenance_ends_after_its_start",
            ),
        ]

    def __str__(self) -> str:
        return f"maintenance from {localtime(self.started_at):%-d %B %Y, %H:%M}"


class Announcement(models.Model):
    """A janitor's announcement: shown on every page until `until`, and emailed to those who want it.

    `notified_upto` is the id of the last user with a notice; None once all have one.
    """

    text = models.TextField(pgettext_lazy("column", "text"), max_length=2000)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "written by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    starts_at = models.DateTimeField(pgettext_lazy("column", "starts"))
    until = models.DateTimeField(pgettext_lazy("column", "until"))
    is_mailed = models.BooleanField(pgettext_lazy("column", "also by email"), default=False)
    notified_upto = models.PositiveBigIntegerField(null=True, blank=True, default=None, db_column="told_upto")
    withdrawn_at = models.DateTimeField(pgettext_lazy("column", "withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-starts_at", "-pk"]
        indexes = [
            models.Index(fields=["until"], name="announcement_until"),
            models.Index(fields=["id"], name="announcement_to_tell", condition=Q(notified_upto__isnull=False)),
        ]
        constraints = [models.CheckConstraint(condition=Q(until__gt=F("starts_at")), name="announcement_has_a_length")]

    def __str__(self) -> str:
        return self.text[:60]


class SiteSum(models.Model):
    """A stored count of something on the site. A task updates it; pages and emails only show it."""

    name = models.CharField(max_length=20, unique=True)
    amount = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"{self.name}: {self.amount}"


class Lease(models.Model):
    """A role that only one process has at a time, until it gives it up or dies: `name` is the role ("beat")."""

    name = models.CharField(max_length=20, unique=True)
    holder = models.CharField(max_length=100)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.holder}"


class Chore(models.Model):
    """A daily job, done by the worker that claims the row. A claim that is an hour old and not done can be taken
    over."""

    name = models.CharField(pgettext_lazy("column", "name"), max_length=20)
    day = models.DateField(pgettext_lazy("column", "day"))
    claimed_at = models.DateTimeField(pgettext_lazy("column", "claimed"))
    done_at = models.DateTimeField(pgettext_lazy("column", "done"), null=True, blank=True)
    remark = models.CharField(pgettext_lazy("column", "remark"), max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("chore")
        verbose_name_plural = _("chores")
        ordering = ["-day", "name"]
        constraints = [models.UniqueConstraint(fields=["name", "day"], name="chore_once_a_day")]

    def __str__(self) -> str:
        return f"{self.name} of {self.day}"
