"""Vacations, warnings to absent users, and requests to update their clocks."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.mage import Mage


class AbsenceWarning(models.Model):
    """`user` was warned at `warned_at` that their account, or their `mage`, will go unless they become active. Each has
    at most one active warning; it ends when they come back or when the announced step is done."""

    class Kind(models.TextChoices):
        MAGE_IDLE = "mage_idle", "a mage is about to retire"
        MAGE_RETIRED = "mage_retired", "a retired mage is about to leave"
        USER_MAGELESS = "user_mageless", "an account is about to be closed"

    class End(models.TextChoices):
        ACTIVE = "", "active"
        CAME_BACK = "came_back", "came back"
        DONE = "done", "done"

    kind = models.CharField(max_length=13, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="absence_warnings")
    mage = models.ForeignKey(Mage, null=True, blank=True, on_delete=models.CASCADE, related_name="absence_warnings")
    warned_at = models.DateTimeField()
    # When the announced step is due.
    due_at = models.DateTimeField(db_column="acts_at")
    ended_at = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=9, choices=End, default=End.ACTIVE, blank=True)

    class Meta:
        ordering = ["-warned_at", "-pk"]
        indexes = [models.Index(fields=["user"], condition=Q(ended_at=None), name="absence_warning_stands")]
        constraints = [
            models.UniqueConstraint(
                fields=["mage"], condition=Q(ended_at=None, mage__isnull=False), name="absence_warning_once_per_mage"
            ),
            models.UniqueConstraint(
                fields=["user"], condition=Q(ended_at=None, mage=None), name="absence_warning_once_per_user"
            ),
            models.CheckConstraint(
                condition=Q(kind="user_mageless", mage=None) | (~Q(kind="user_mageless") & Q(mage__isnull=False)),
                name="absence_warning_is_of_its_kind",
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, end="") | (Q(ended_at__isnull=False) & ~Q(end="")),
                name="absence_warning_end_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.mage or self.user}"


class ClockUpdate(models.Model):
    """A request to update the clocks of `user` at `due_at`: they left or came back, or email to them started to fail or
    arrived again. It is deleted once the clocks are up to date, unless a vacation ends later."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="clock_update")
    due_at = models.DateTimeField(db_column="look_at")

    class Meta:
        db_table = "accounts_absencenews"
        indexes = [models.Index(fields=["due_at"], name="clock_update_due")]

    def __str__(self) -> str:
        return f"clock update of {self.user}"


class Vacation(models.Model):
    """`user` is away from `starts_at` to `until`, or to `ended_at` if they came back early. Each user has one open at a
    time. One entered `by_janitor` uses none of the user's days and stops clocks even after their alarm."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.CASCADE,
        related_name="vacations",
    )
    starts_at = models.DateTimeField(pgettext_lazy("column", "starts"))
    until = models.DateTimeField(pgettext_lazy("column", "until"))
    ended_at = models.DateTimeField(pgettext_lazy("column", "ended"), null=True, blank=True)
    by_janitor = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
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
        return self.ended_at is None and self.starts_at <= now < self.until
