"""Warnings that users must acknowledge, and suspensions."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class AccountWarning(models.Model):
    """A janitor's warning: the user can continue once they acknowledge it or it is withdrawn."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.CASCADE,
        related_name="account_warnings",
    )
    text = models.TextField(pgettext_lazy("column", "text"), max_length=2000, help_text=_("The user sees this text."))
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "given by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    given_at = models.DateTimeField(pgettext_lazy("column", "given"))
    acknowledged_at = models.DateTimeField(pgettext_lazy("column", "acknowledged"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(pgettext_lazy("column", "withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("warning")
        verbose_name_plural = _("warnings")
        ordering = ["-given_at", "-pk"]
        indexes = [
            models.Index(
                fields=["user"], name="account_warning_waits", condition=Q(acknowledged_at=None, withdrawn_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"warning {self.pk}"


class SanctionQuerySet(models.QuerySet["Sanction"]):
    def open(self) -> Self:
        """Return the suspensions that nobody has lifted, until the user has been notified of their end."""
        return self.filter(lifted_at=None, expired_at=None)

    def lasting(self, now: datetime) -> Self:
        """Return the suspensions that last at `now`."""
        return self.open().filter(Q(ends_at=None) | Q(ends_at__gt=now))


class Sanction(models.Model):
    """A suspension: until `ends_at` (empty: until it is lifted) the user can read but not play or write."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.CASCADE,
        related_name="sanctions",
    )
    reason = models.TextField(
        pgettext_lazy("column", "reason"), max_length=1000, help_text=_("The user sees this text.")
    )
    imposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "imposed by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    starts_at = models.DateTimeField(pgettext_lazy("column", "starts"))
    ends_at = models.DateTimeField(
        pgettext_lazy("column", "ends"),
        null=True,
        blank=True,
        help_text=_("Leave empty to wait for a janitor to lift it."),
    )
    lifted_at = models.DateTimeField(pgettext_lazy("column", "lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    lifted_why = models.CharField(max_length=300, blank=True, default="")
    # The suspension has ended and the user has been notified.
    expired_at = models.DateTimeField(pgettext_lazy("column", "expired"), null=True, blank=True)

    objects = SanctionQuerySet.as_manager()

    class Meta:
        verbose_name = _("suspension")
        verbose_name_plural = _("suspensions")
        ordering = ["-starts_at", "-pk"]
        indexes = [models.Index(fields=["ends_at"], name="sanction_ends", condition=Q(lifted_at=None, expired_at=None))]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(lifted_at=None, expired_at=None), name="sanction_once_per_user"
            ),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")), name="sanction_has_a_length"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at=None, lifted_by=None) | Q(lifted_at__isnull=False, lifted_by__isnull=False),
                name="sanction_lifting_has_its_janitor",
            ),
        ]

    def __str__(self) -> str:
        return f"suspension {self.pk}"
