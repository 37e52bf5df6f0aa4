"""A season of the league: its groups, and the entries of the users who play in every season until they leave."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Mage

WEEK = timedelta(weeks=1)
ROUNDS = 7
# Groups are drawn this long before round 1, so that pairs can agree on a time bank.
DRAWN_BEFORE = timedelta(days=3)
# From the start of the last round until undecided duels are settled by the time used.
TIME_TO_FINISH = 3 * WEEK
LENGTH = (ROUNDS - 1) * WEEK + TIME_TO_FINISH
# From the end of a season to the start of the next one.
BREAK = WEEK
# The last round in which newcomers take free places.
LAST_ROUND_TO_JOIN = 3


class Entry(models.Model):
    """A user who plays in the league, season after season, until they leave or lose their place.

    `mage` is the one they named for duels that have not begun. `signed_up_at` breaks ties.
    """

    class LeftFor(models.TextChoices):
        LEFT = "left", _("left")
        # They forfeited two duels in a season.
        FORFEITS = "forfeits", _("lost the place")
        ACCOUNT = "account", _("closed the account")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=pgettext_lazy("column", "user"),
        on_delete=models.CASCADE,
        related_name="league_entries",
    )
    mage = models.ForeignKey(
        Mage, verbose_name=pgettext_lazy("column", "mage"), on_delete=models.PROTECT, related_name="league_entries"
    )
    signed_up_at = models.DateTimeField(pgettext_lazy("column", "signed up"))
    left_at = models.DateTimeField(pgettext_lazy("column", "left"), null=True, blank=True)
    left_for = models.CharField(max_length=8, choices=LeftFor, blank=True, default="")

    class Meta:
        verbose_name = _("league entry")
        verbose_name_plural = _("league entries")
        ordering = ["signed_up_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(left_at=None), name="league_entry_once_per_user"),
            models.CheckConstraint(
                condition=Q(left_at=None, left_for="") | Q(left_at__isnull=False) & ~Q(left_for=""),
                name="league_entry_left_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in the league"


class Season(models.Model):
    """A season: seven weekly rounds from `begins_at`, and three weeks to finish after the last one begins.

    Its groups are drawn at `drawn_at`, `started_at` is when round 1 began, and `round` is the last round that began; 0
    before the first. At `closed_at` its tables became final.
    """

    number = models.PositiveIntegerField(pgettext_lazy("column", "season"), unique=True)
    begins_at = models.DateTimeField(pgettext_lazy("column", "begins"))
    # For so many weeks it has waited, with too few entrants or because no worker drew it in time.
    weeks_waited = models.PositiveSmallIntegerField(default=0, db_default=0)
    drawn_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(pgettext_lazy("column", "began"), null=True, blank=True)
    round = models.PositiveSmallIntegerField(pgettext_lazy("column", "round"), default=0)
    closed_at = models.DateTimeField(pgettext_lazy("column", "ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["number"]
        constraints = [
            models.CheckConstraint(condition=Q(round__lte=ROUNDS), name="season_has_seven_rounds"),
            models.CheckConstraint(
                condition=Q(started_at=None, round=0)
                | Q(started_at__isnull=False, round__gte=1, drawn_at__isnull=False),
                name="season_starts_with_round_one",
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(started_at__isnull=False), name="season_closed_was_started"
            ),
        ]

    def __str__(self) -> str:
        return f"season {self.number}"

    @property
    def draws_at(self) -> datetime:
        return self.begins_at - DRAWN_BEFORE

    @property
    def ends_at(self) -> datetime:
        return self.begins_at + LENGTH

    @property
    def next_begins_at(self) -> datetime:
        return self.ends_at + BREAK

    def begin_of_round(self, number: int) -> datetime:
        """Return when round `number`, from 1, begins."""
        return self.begins_at + (number - 1) * WEEK


class Group(models.Model):
    """League 1, 2, 3 … of a season: four to eight places who all meet each other."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="groups")
    tier = models.PositiveSmallIntegerField(pgettext_lazy("column", "league"))

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        ordering = ["season", "tier"]
        constraints = [models.UniqueConstraint(fields=["season", "tier"], name="group_once_per_tier")]

    def __str__(self) -> str:
        return f"League {self.tier}, {self.season}"
