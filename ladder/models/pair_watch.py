"""Pairs of users that janitors may want to check. It has no effect by itself."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class PairWatch(models.Model):
    """Two users whose battles with each other in the last 30 days may need a check, and why; rebuilt every night.

    `one` is the one with the smaller id. `one_share`, `other_share`: these battles as a percentage of all battles of
    each user.
    """

    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    battles = models.PositiveIntegerField()
    one_won = models.PositiveIntegerField()
    other_won = models.PositiveIntegerField()
    one_share = models.PositiveSmallIntegerField()
    other_share = models.PositiveSmallIntegerField()
    meets_often = models.BooleanField()
    is_one_sided = models.BooleanField()
    same_address = models.BooleanField()
    same_device = models.BooleanField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = "pair to check"
        verbose_name_plural = "pairs to check"
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="pair_watch_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="pair_watch_in_order"),
            models.CheckConstraint(
                condition=Q(meets_often=True) | Q(is_one_sided=True) | Q(same_address=True) | Q(same_device=True),
                name="pair_watch_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"
