"""A user's place in a league group or a cup."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Mage
from league.models.cup import Cup
from league.models.season import Group


class Place(models.Model):
    """The place of a user in one group or in one cup.

    `mage` plays the duels that have not begun. `slot` counts from 1: the place in the schedule of a group, or the seed
    in a cup that has begun. `joined_in_round` is 1, or the round in which a newcomer took a free place of the group.
    Someone who left before half of their duels were finished is `is_void`: their results leave the table. `rank` and
    `movement` are final, written when the season or cup ends.
    """

    class LeftFor(models.TextChoices):
        LEFT = "left", _("left")
        FORFEITS = "forfeits", _("forfeited two duels")
        # Two games of a live evening began without them.
        ABSENT = "absent", _("was not there")
        ACCOUNT = "account", _("closed the account")
        NO_MAGE = "no_mage", _("had no mage left")

    class Movement(models.TextChoices):
        UP = "up", _("up")
        STAY = "stay", _("stays")
        DOWN = "down", _("down")

    group = models.ForeignKey(Group, null=True, blank=True, on_delete=models.CASCADE, related_name="places")
    cup = models.ForeignKey(Cup, null=True, blank=True, on_delete=models.CASCADE, related_name="places")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.PROTECT,
        related_name="league_places",
    )
    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="league_places"
    )
    slot = models.PositiveSmallIntegerField(null=True, blank=True)
    signed_up_at = models.DateTimeField(pgettext_lazy("column", "signed up"))
    joined_in_round = models.PositiveSmallIntegerField(default=1)
    left_at = models.DateTimeField(pgettext_lazy("column", "left"), null=True, blank=True)
    left_for = models.CharField(max_length=8, choices=LeftFor, blank=True, default="")
    is_void = models.BooleanField(default=False)
    rank = models.PositiveSmallIntegerField(pgettext_lazy("column", "rank"), null=True, blank=True)
    movement = models.CharField(max_length=4, choices=Movement, blank=True, default="")

    class Meta:
        verbose_name = _("place")
        verbose_name_plural = _("places")
        ordering = ["group", "cup", "slot", "pk"]
        indexes = [models.Index(fields=["user", "left_at"], name="place_of_user")]
        constraints = [
            models.CheckConstraint(
                condition=Q(group=None, cup__isnull=False) | Q(group__isnull=False, cup=None),
                name="place_in_a_group_or_a_cup",
            ),
            models.UniqueConstraint(fields=["group", "user"], name="place_once_in_group"),
            models.UniqueConstraint(fields=["cup", "user"], name="place_once_in_cup"),
            models.UniqueConstraint(fields=["group", "slot"], name="place_slot_once_in_group"),
            models.UniqueConstraint(fields=["cup", "slot"], name="place_slot_once_in_cup"),
            models.CheckConstraint(
                condition=Q(left_at=None, left_for="", is_void=False) | Q(left_at__isnull=False) & ~Q(left_for=""),
                name="place_left_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mage} in {self.group or self.cup}"
