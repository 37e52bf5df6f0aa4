"""Pairs of users that janitors may want to check. It has no effect by itself."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class PairWatch(models.Model):
    """Two users whose battles with each other in the last 30 days may need a check, and why; rebuilt every night.
    `in_one_event`: they are in one group of a league or one cup, whether they have met there or not.

    `one` is the one with the smaller id. `one_share`, `other_share`: these battles as a percentage of all battles of
    each user. `agreed`: in how many of them both agreed on a draw.
    """

    one = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "one"),
        on_delete=models.CASCADE,
        related_name="+",
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "other"),
        on_delete=models.CASCADE,
        related_name="+",
    )
    battles = models.PositiveIntegerField(pgettext_lazy("column", "battles"))
    one_won = models.PositiveIntegerField(pgettext_lazy("column", "won by the one"))
    other_won = models.PositiveIntegerField(pgettext_lazy("column", "won by the other"))
    one_share = models.PositiveSmallIntegerField(pgettext_lazy("column", "share of the one"))
    other_share = models.PositiveSmallIntegerField(pgettext_lazy("column", "share of the other"))
    meets_often = models.BooleanField(pgettext_lazy("column", "meet often"))
    is_one_sided = models.BooleanField(pgettext_lazy("column", "one-sided"))
    agreed = models.PositiveIntegerField(pgettext_lazy("column", "draws agreed"), default=0, db_default=0)
    agrees_often = models.BooleanField(pgettext_lazy("column", "agree on draws"), default=False, db_default=False)
    same_address = models.BooleanField(pgettext_lazy("column", "same address"))
    same_device = models.BooleanField(pgettext_lazy("column", "same device"))
    same_network = models.BooleanField(pgettext_lazy("column", "same network"), default=False, db_default=False)
    in_one_event = models.BooleanField(pgettext_lazy("column", "in one league or cup"), default=False, db_default=False)
    seen_at = models.DateTimeField(pgettext_lazy("column", "last checked"))

    class Meta:
        verbose_name = _("pair to check")
        verbose_name_plural = _("pairs to check")
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="pair_watch_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="pair_watch_in_order"),
            models.CheckConstraint(
                condition=Q(meets_often=True)
                | Q(is_one_sided=True)
                | Q(agrees_often=True)
                | Q(same_address=True)
                | Q(same_device=True)
                | Q(same_network=True, in_one_event=True),
                name="pair_watch_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"
