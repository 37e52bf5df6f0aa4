"""The site policy and its history."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from operations.policy import ORDERED, SETTINGS, Policy


def _number(name: str) -> Any:
    setting = SETTINGS[name]
    return models.PositiveSmallIntegerField(
        setting.words,
        default=getattr(Policy(), name),
        # The last release writes rows without a new number.
        db_default=getattr(Policy(), name),
        validators=[MinValueValidator(setting.least), MaxValueValidator(setting.most)],
        help_text=setting.bounds,
    )


BOUNDS = [
    models.CheckConstraint(
        condition=Q(**{f"{setting.name}__gte": setting.least, f"{setting.name}__lte": setting.most}),
        name=f"policy_{setting.name}",
    )
    for setting in SETTINGS.values()
]
ORDERS = [
    models.CheckConstraint(condition=Q(**{f"{first}__lt": F(second)}), name=f"policy_{first}_first")
    for first, second in ORDERED
]


class SitePolicy(models.Model):
    """Policy numbers that a janitor set, and why; the newest row applies (operations.policy explains each).
    Rows never change, so they are the history."""

    classic_reminder_days = _number("classic_reminder_days")
    classic_remind_every_hours = _number("classic_remind_every_hours")
    classic_forfeit_days = _number("classic_forfeit_days")
    idle_user_days = _number("idle_user_days")
    idle_week_days = _number("idle_week_days")
    retired_days = _number("retired_days")
    immune_points = _number("immune_points")
    mageless_warn_days = _number("mageless_warn_days")
    mageless_close_days = _number("mageless_close_days")
    warning_days = _number("warning_days")
    challenge_prod_days = _number("challenge_prod_days")
    challenge_close_days = _number("challenge_close_days")
    vacation_most_days = _number("vacation_most_days")
    vacation_year_days = _number("vacation_year_days")
    vacation_kept_days = _number("vacation_kept_days")
    undelivered_mail_days = _number("undelivered_mail_days")
    absence_most_days = _number("absence_most_days")
    late_orders_seconds = _number("late_orders_seconds")
    wins_that_count = _number("wins_that_count")
    living_mages = _number("living_mages")
    new_mages_a_day = _number("new_mages_a_day")
    practice_deaths = _number("practice_deaths")
    signup_keep_days = _number("signup_keep_days")
    guest_keep_days = _number("guest_keep_days")
    bot_battles_a_day = _number("bot_battles_a_day")
    knockout_day = _number("knockout_day")
    evening_weekday = _number("evening_weekday")
    evening_hour = _number("evening_hour")
    round_robin_weekday = _number("round_robin_weekday")
    round_robin_hour = _number("round_robin_hour")
    knockout_bots = _number("knockout_bots")
    evening_bots = _number("evening_bots")
    notice_keep_days = _number("notice_keep_days")
    backups_kept = _number("backups_kept")
    stuck_remind_hours = _number("stuck_remind_hours")
    stuck_remind_live_minutes = _number("stuck_remind_live_minutes")
    outage_minutes = _number("outage_minutes")
    outbox_minutes = _number("outbox_minutes")
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "set by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    set_at = models.DateTimeField(pgettext_lazy("column", "set"))
    why = models.CharField(pgettext_lazy("column", "reason"), max_length=300)

    class Meta:
        verbose_name = _("site policy")
        verbose_name_plural = _("site policy")
        ordering = ["-pk"]
        constraints = [*BOUNDS, *ORDERS]

    def __str__(self) -> str:
        return f"policy of {self.set_at:%Y-%m-%d %H:%M}"
