"""Ratings of users: the effect of each battle, and every current rating."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class RatingKind(models.TextChoices):
    """The ratings a user can have: among people in duels and in melees, and in duels in which a bot plays."""

    DUEL = "duel", pgettext_lazy("choice", "Duel")
    MELEE = "melee", pgettext_lazy("choice", "Melee")
    BOTS = "bots", pgettext_lazy("choice", "Bots")


class RatingColumns(models.Model):
    """The rating of one user in one kind of battle.

    For duels (also with bots): Glicko-2's rating, deviation and volatility, the same three at the start of the last
    day with a battle, and the classic server's Elo in hundredths. For melees: only openskill's mu and sigma.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=pgettext_lazy("column", "user"), on_delete=models.PROTECT
    )
    kind = models.CharField(pgettext_lazy("column", "kind"), max_length=5, choices=RatingKind.choices)
    rating = models.FloatField(pgettext_lazy("column", "rating"))
    deviation = models.FloatField(pgettext_lazy("column", "deviation"))
    volatility = models.FloatField(pgettext_lazy("column", "volatility"), null=True)
    elo = models.IntegerField(pgettext_lazy("column", "Elo"), null=True)
    battles = models.PositiveIntegerField(pgettext_lazy("column", "battles"))
    # The rating period, a day in UTC.
    day = models.DateField(pgettext_lazy("column", "day"))
    start_rating = models.FloatField(pgettext_lazy("column", "rating at the start"), null=True)
    start_deviation = models.FloatField(pgettext_lazy("column", "deviation at the start"), null=True)
    start_volatility = models.FloatField(pgettext_lazy("column", "volatility at the start"), null=True)

    class Meta:
        abstract = True


class RatingEntry(RatingColumns):
    """The effect of one battle on one user's rating: the whole rating after it, and the rating and Elo before it.

    `battles` includes this one. In duels `faced_rating` and `faced_deviation` are the opponent's at the start of the
    day, and `score` is 1, 0.5 or 0. Entries count in the order of (ended_at, battle), and can be rebuilt from the
    battles.
    """

    battle = models.PositiveBigIntegerField(pgettext_lazy("column", "battle"))
    ended_at = models.DateTimeField(pgettext_lazy("column", "ended"))
    rating_before = models.FloatField(pgettext_lazy("column", "rating before"))
    elo_before = models.IntegerField(pgettext_lazy("column", "Elo before"), null=True)
    faced_rating = models.FloatField(pgettext_lazy("column", "rating faced"), null=True)
    faced_deviation = models.FloatField(pgettext_lazy("column", "deviation faced"), null=True)
    score = models.FloatField(pgettext_lazy("column", "score"), null=True)

    class Meta:
        verbose_name = _("rating entry")
        verbose_name_plural = _("rating entries")
        default_related_name = "rating_entries"
        constraints = [
            models.UniqueConstraint(fields=["user", "battle"], name="rating_entry_once"),
            models.CheckConstraint(
                condition=Q(kind="melee") | Q(volatility__isnull=False, elo__isnull=False, score__isnull=False),
                name="rating_entry_of_a_duel_is_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "kind", "ended_at", "battle"], name="rating_entry_series"),
            models.Index(fields=["kind", "ended_at", "battle"], name="rating_entry_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.kind} {self.rating:.1f} after battle {self.battle}"


class UserRating(RatingColumns):
    """The current rating of a user, as in their last entry."""

    class Meta:
        verbose_name = _("rating of a user")
        verbose_name_plural = _("ratings of users")
        default_related_name = "ratings"
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="user_rating_once")]
        indexes = [models.Index(fields=["kind", "-rating"], name="user_rating_highest")]

    def __str__(self) -> str:
        return f"{self.user} {self.kind} {self.rating:.1f}"


class RatingLock(models.Model):
    """Locked while battles of a kind are rated, so that they are rated one after another."""

    kind = models.CharField(max_length=5, choices=RatingKind.choices, unique=True)

    class Meta:
        db_table = "ladder_ratingbook"

    def __str__(self) -> str:
        return f"ratings of {self.kind}s"


class StaleRating(models.Model):
    """A battle that was annulled, restored, corrected or reopened after it was rated: rate again from there on."""

    kind = models.CharField(max_length=5, choices=RatingKind.choices)
    ended_at = models.DateTimeField()
    battle = models.PositiveBigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["kind", "ended_at", "battle"], name="stale_rating_in_order")]

    def __str__(self) -> str:
        return f"{self.kind}s from battle {self.battle} on"
